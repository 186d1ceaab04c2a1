import {
  parseBoolean,
  parseCountry,
  parseNumber,
  storedText,
} from '@covalence/contract/catalogue/check-value';
import type { Criterion } from '@covalence/contract/catalogue/criteria';
import { failCodes } from '@covalence/contract/failure-codes';
import { isMap } from '@covalence/contract/is-map';
import { isPresent } from '@covalence/contract/parameters';
import { countryOfPostalCode, isPostalCode, postalKey } from '@covalence/contract/postal-code';
import type { Position } from '@covalence/contract/position';
import type { Searcher } from './searcher.ts';

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

/** A checked criterion of a search. */
export type QueryCriterion = GeneralQuery | RangeQuery | GeolocationQuery;

/** Countries that a postal code may belong to: those of the country criterion, else the searcher's. */
export type PostalCountries = readonly (string | null)[];

/** The context of the checks. */
export interface FormContext {
  readonly searcher: Searcher;
  readonly postalCountries: PostalCountries;
}

/** A checked criterion, or its failure code. */
export type ParsedForm = QueryCriterion | number;

/** Parameters or the entries of a criterion, by name. */
export type Parameters = Readonly<Record<string, unknown>>;

/** Limits of one general criterion; `values` leaves room for every country. */
export const mostPerCriterion = { values: 250, texts: 10, characters: 255 };

/** The values of a general criterion: `value` and `values`, which may be one value or a list. */
export const valuesIn = ({ value, values }: Parameters): unknown[] =>
  [value, ...(Array.isArray(values) ? values : [values])].filter(isPresent);

/** Converts a value of a general criterion to its form in the index; undefined if it is invalid. */
type ValueCheck = (value: unknown, criterion: Criterion, context: FormContext) => string | undefined;

const textOf = (value: unknown): string | undefined => {
  const text = storedText(value);
  if (!text || text.includes('\0')) return undefined;
  return Array.from(text).length <= mostPerCriterion.characters ? text : undefined;
};

const knownCode: ValueCheck = (value, { codes }) => {
  const text = textOf(value);
  const known = codes?.find((code) => String(code).toLowerCase() === text?.toLowerCase());
  return known === undefined ? undefined : String(known);
};

const truth: ValueCheck = (value) => parseBoolean(value)?.toString();

const zipcode: ValueCheck = (value, _criterion, { postalCountries }) => {
  const text = textOf(value);
  const country = text && countryOfPostalCode(text, postalCountries);
  return text && country !== undefined ? postalKey(text, country) : undefined;
};

const isBoolean = ({ codes }: Criterion) => codes?.length === 2 && codes.includes('true');

/** The check of a criterion's values and the failure code of an invalid one. */
const valueCheckOf = (criterion: Criterion): readonly [check: ValueCheck, code: number] => {
  if (criterion.name === 'country') return [parseCountry, failCodes.criterionCountryInvalid];
  if (criterion.name === 'zipcode') return [zipcode, failCodes.criterionZipInvalid];
  if (isBoolean(criterion)) return [truth, failCodes.criterionValueInvalid];
  return [criterion.codes ? knownCode : textOf, failCodes.criterionValueInvalid];
};

function parseGeneral(criterion: Criterion, map: Parameters, context: FormContext): ParsedForm {
  const sent = valuesIn(map);
  if (!sent.length) return failCodes.criterionWithoutValue;
  if (sent.length > (criterion.text ? mostPerCriterion.texts : mostPerCriterion.values))
    return failCodes.criterionValueInvalid;
  const [check, code] = valueCheckOf(criterion);
  const values = sent.map((value) => check(value, criterion, context));
  const legal = values.filter((value) => value !== undefined);
  return legal.length < values.length ? code : { form: 'general', criterion, values: [...new Set(legal)] };
}

function parseRange(criterion: Criterion, map: Parameters): ParsedForm {
  const [lowest, highest] = criterion.bounds ?? [-Infinity, Infinity];
  const ends = [map['from'], map['to']].map((end) => (isPresent(end) ? parseNumber(end) : null));
  if (ends.includes(undefined) || ends.every((end) => end === null)) return failCodes.rangeInvalid;
  const from = ends[0] ?? lowest;
  const to = ends[1] ?? highest;
  const outside = criterion.name === 'age' ? failCodes.ageOutOfRange : failCodes.criterionValueInvalid;
  if (ends.some((end) => typeof end === 'number' && (end < lowest || end > highest))) return outside;
  return from > to ? failCodes.rangeInvalid : { form: 'range', criterion, from, to };
}

/** The valid values of `within` in miles (31006); -1 sets no limit. */
export const withinMiles: ReadonlySet<number> = new Set([-1, 20, 30, 40, 50, 150, 500, 1000]);

/** The documentation of `within`. */
export const withinSchema = {
  type: 'integer',
  enum: [...withinMiles],
  'x-enum-varnames': [...withinMiles].map((miles) => (miles === -1 ? 'NO_LIMIT' : `MILES_${miles}`)),
};

/** Values of `within` that only subscribers may use (31007). */
export const platinumMiles: ReadonlySet<number> = new Set([20, 30, 40, 50]);

const point = (text: string): Position | undefined => {
  const [lat, lon, ...rest] = text.split(',').map(parseNumber);
  if (lat === undefined || lon === undefined || rest.length) return undefined;
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? { lat, lon } : undefined;
};

/** The center that `of` names, or undefined if it is empty or malformed. */
function parseCenter(of: unknown, { country, position }: Searcher): SearchCenter | undefined {
  if (of === undefined) return position ? { kind: 'self' } : undefined;
  const text = typeof of === 'string' || typeof of === 'number' ? String(of).trim() : '';
  const named = point(text);
  if (named) return { kind: 'point', position: named };
  if (!country || !isPostalCode(text, country)) return undefined;
  return { kind: 'zip', zip: postalKey(text, country), country };
}

function parseGeolocation(criterion: Criterion, map: Parameters, { searcher }: FormContext): ParsedForm {
  if (map['within'] === undefined && map['of'] === undefined) return failCodes.locationInvalid;
  const within = map['within'] === undefined ? -1 : parseNumber(map['within']);
  if (within === undefined || !withinMiles.has(within)) return failCodes.locationInvalid;
  const of = parseCenter(map['of'], searcher);
  // A searcher without a position cannot limit the distance.
  if (!of && !(map['of'] === undefined && within === -1)) return failCodes.locationInvalid;
  if (platinumMiles.has(within) && !searcher.platinum) return failCodes.withinForPlatinumOnly;
  return { form: 'geolocation', criterion, miles: within === -1 ? null : within, of: of ?? { kind: 'self' } };
}

/** The entries of a criterion with lower-case names. */
export const lowerNames = (map: Parameters): Parameters =>
  Object.fromEntries(Object.entries(map).map(([name, value]) => [name.toLowerCase(), value]));

const parsers: Record<
  Criterion['form'],
  (criterion: Criterion, map: Parameters, context: FormContext) => ParsedForm
> = { general: parseGeneral, range: parseRange, geolocation: parseGeolocation };

/** Checks a criterion by its form in the catalogue (31000, 31003–31007, 31009–31011). */
export function parseForm(criterion: Criterion, value: unknown, context: FormContext): ParsedForm {
  if (!isMap(value)) return failCodes.criterionNotMap;
  return parsers[criterion.form](criterion, lowerNames(value), context);
}
