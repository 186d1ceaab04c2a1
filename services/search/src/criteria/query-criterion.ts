import type { Criterion } from '@covalence/contract/catalogue/criteria';
import type { Position } from '@covalence/contract/position';

/** A general criterion: codes, `true` / `false` or texts, any of which matches. */
export interface GeneralQuery {
  readonly form: 'general';
  readonly criterion: Criterion;
  readonly values: readonly string[];
}

/** A range criterion, both ends inclusive; an open end is the criterion's bound. */
export interface RangeQuery {
  readonly form: 'range';
  readonly criterion: Criterion;
  readonly from: number;
  readonly to: number;
}

/** The center of a distance search: the searcher's position, a postal code of their country, or a point. */
export type SearchCenter =
  | { readonly kind: 'self' }
  | { readonly kind: 'zip'; readonly zip: string; readonly country: string }
  | { readonly kind: 'point'; readonly position: Position };

/** The geolocation criterion; `miles` is null without a limit. */
export interface GeolocationQuery {
  readonly form: 'geolocation';
  readonly criterion: Criterion;
  readonly miles: number | null;
  readonly of: SearchCenter;
}

/** One criterion of a search, checked. */
export type QueryCriterion = GeneralQuery | RangeQuery | GeolocationQuery;
