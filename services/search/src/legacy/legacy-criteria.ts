import { unchecked } from '@covalence/contract/parameters';
import { parseCountry, parseNumber } from '@covalence/contract/catalogue/check-value';
import { isPostalCode, postalKey } from '@covalence/contract/postal-code';
import { isGender, type Gender } from '@covalence/contract/record';
import { platinumMiles, withinMiles, type Searcher } from '../criteria/parse-forms.ts';
import type { StoredCriteria } from '../criteria/stored-criteria.ts';
import type { PostalCodeLocator } from '../searches/postal-codes.ts';

const years = { type: 'integer', minimum: 18, maximum: 120 };

/** The parameters of v1, each checked with a code of its own. `zip` is zippostalcode. */
export const legacyParameters = {
  distance: unchecked({ type: 'integer', enum: [...withinMiles], description: 'Miles.' }),
  agefrom: unchecked({ ...years, description: 'With `ageto`.' }),
  ageto: unchecked({ ...years, description: 'With `agefrom`.' }),
  lookingfor: unchecked({ $ref: '#/components/schemas/Gender', description: 'The gender of the results.' }),
  zip: unchecked({
    type: 'string',
    maxLength: 20,
    description: 'A postal code of `country`, else of the member’s; also `zippostalcode`.',
  }),
  country: unchecked({ type: 'string', pattern: '^[A-Za-z]{2}$', description: 'ISO 3166-1 alpha-2.' }),
};

type LegacyInput = { readonly [Name in keyof typeof legacyParameters]?: unknown };

/** The failure codes of one v1 operation; undefined is 403 without code. */
export interface LegacyCodes {
  readonly distance: number;
  readonly ageAlone: number;
  readonly ageNotNumeric: number;
  readonly ageRange: number;
  readonly lookingfor: number;
  readonly zip?: number;
  readonly country?: number;
}

/** What v1's parameters are checked against. */
export interface LegacyContext {
  readonly codes: LegacyCodes;
  readonly searcher: Searcher;
  /** Where the location was so far; a distance may be measured from it. */
  readonly location?: StoredCriteria[string] | undefined;
  readonly postalCodes: PostalCodeLocator;
}

/** v1's parameters as criteria of v2. */
export interface LegacyCriteria {
  /** Of the location what is given. */
  readonly criteria: StoredCriteria;
  readonly lookingfor?: Gender;
  /** Whether anything failed, with or without a code. */
  readonly refused: boolean;
  readonly failcodes: readonly number[];
}

/** A part of the criteria, or why there is none: a list of at most one code. */
type Part<Value> = { readonly value?: Value } | { readonly refusal: readonly number[] };

const nothing = {};

const refused = (code: number | undefined): { refusal: readonly number[] } => ({
  refusal: code === undefined ? [] : [code],
});

function ageOf({ agefrom, ageto }: LegacyInput, codes: LegacyCodes): Part<{ from: number; to: number }> {
  if (agefrom === undefined && ageto === undefined) return nothing;
  if (agefrom === undefined || ageto === undefined) return refused(codes.ageAlone);
  const [from, to] = [parseNumber(agefrom), parseNumber(ageto)];
  if (from === undefined || to === undefined) return refused(codes.ageNotNumeric);
  return from >= 18 && to <= 120 && from <= to ? { value: { from, to } } : refused(codes.ageRange);
}

const lookingforOf = ({ lookingfor }: LegacyInput, codes: LegacyCodes): Part<Gender> => {
  if (lookingfor === undefined) return nothing;
  return isGender(lookingfor) ? { value: lookingfor } : refused(codes.lookingfor);
};

const countryOf = ({ country }: LegacyInput, codes: LegacyCodes): Part<string> => {
  if (country === undefined) return nothing;
  const value = parseCountry(country);
  return value ? { value } : refused(codes.country);
};

/** The place that a postal code names: itself where it is of the searcher's country, else its coordinates. */
async function originOf(
  { zip, country }: LegacyInput,
  { codes, searcher, postalCodes }: LegacyContext,
): Promise<Part<string>> {
  if (zip === undefined) return nothing;
  const text = typeof zip === 'string' || typeof zip === 'number' ? String(zip).trim() : '';
  const home = parseCountry(country) ?? searcher.country;
  if (!home || !isPostalCode(text, home)) return refused(codes.zip);
  const place = await postalCodes.find(postalKey(text, home), home);
  if (!place) return refused(codes.zip);
  return { value: home === searcher.country ? text : `${place.lat.toFixed(4)},${place.lon.toFixed(4)}` };
}

/** A distance of v2's set that the searcher may use and that can be measured. */
function distanceOf(
  { distance, zip }: LegacyInput,
  { codes, searcher, location }: LegacyContext,
): Part<number> {
  if (distance === undefined) return nothing;
  const miles = parseNumber(distance);
  if (miles === undefined || !withinMiles.has(miles)) return refused(codes.distance);
  if (platinumMiles.has(miles) && !searcher.platinum) return refused(codes.distance);
  const measurable = miles === -1 || zip !== undefined || location?.of !== undefined || searcher.position;
  return measurable ? { value: miles } : refused(codes.distance);
}

const valueOf = <Value>(part: Part<Value>): Value | undefined => ('value' in part ? part.value : undefined);

const optional = <Name extends string, Value>(name: Name, value: Value | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { readonly [Key in Name]?: Value };

/** Checks the parameters of v1 in the order of their codes and maps them onto v2's criteria. */
export async function parseLegacy(input: LegacyInput, context: LegacyContext): Promise<LegacyCriteria> {
  const { codes } = context;
  const distance = distanceOf(input, context);
  const age = ageOf(input, codes);
  const lookingfor = lookingforOf(input, codes);
  const origin = await originOf(input, context);
  const country = countryOf(input, codes);
  const refusals = [distance, age, lookingfor, origin, country].flatMap((part) =>
    'refusal' in part ? [part.refusal] : [],
  );
  const moved = { ...optional('within', valueOf(distance)), ...optional('of', valueOf(origin)) };
  const placed = Object.keys(moved).length > 0;
  const code = valueOf(country);
  return {
    criteria: {
      ...optional('age', valueOf(age)),
      ...(placed && { location: moved }),
      ...(code !== undefined && { country: { value: code } }),
    },
    ...optional('lookingfor', valueOf(lookingfor)),
    refused: refusals.length > 0,
    failcodes: refusals.flat(),
  };
}
