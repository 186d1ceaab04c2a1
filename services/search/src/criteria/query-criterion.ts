import type { Criterion } from '@covalence/contract/catalogue/criteria';
import type { Position } from '@covalence/contract/position';

/** `value` or `values` of a general criterion: codes, `true` / `false` or texts, any of which matches. */
export interface GeneralQuery {
  readonly form: 'general';
  readonly criterion: Criterion;
  readonly values: readonly string[];
}

/** `from` and `to` of a range criterion, both inclusive; an end left open stands at the criterion's bound. */
export interface RangeQuery {
  readonly form: 'range';
  readonly criterion: Criterion;
  readonly from: number;
  readonly to: number;
}

/** What a distance is measured from: the searcher's own position, a postal code of their country, or a point. */
export type Origin =
  | { readonly kind: 'self' }
  | { readonly kind: 'zip'; readonly zip: string; readonly country: string }
  | { readonly kind: 'point'; readonly position: Position };

/** `within` and `of` of the geolocation criterion; `miles` is null where there is no limit. */
export interface GeolocationQuery {
  readonly form: 'geolocation';
  readonly criterion: Criterion;
  readonly miles: number | null;
  readonly of: Origin;
}

/** One criterion of a search, checked. */
export type QueryCriterion = GeneralQuery | RangeQuery | GeolocationQuery;
