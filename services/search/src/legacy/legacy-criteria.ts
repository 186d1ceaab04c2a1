import { parseCountry, parseNumber } from '@covalence/contract/catalogue/check-value';
import { invalidArgument } from '@covalence/contract/failure';
import { unchecked } from '@covalence/contract/parameters';
import { isPostalCode, postalKey } from '@covalence/contract/postal-code';
import { isGender } from '@covalence/contract/record';
import { platinumMiles, withinMiles, withinSchema } from '../criteria/parse-forms.ts';
import type { Searcher } from '../criteria/searcher.ts';
import type { StoredCriteria } from '../criteria/stored-criteria.ts';
import type { MemberIndex } from '../index/member-index.ts';
import { locatePostalCode } from '../searches/search-center.ts';

const years = { type: 'integer', minimum: 18, maximum: 120 };

/** The parameters of v1, each checked with a code of its own. `zip` is zippostalcode. */
export const legacyParameters = {
  distance: unchecked({ ...withinSchema, description: 'Miles.' }),
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

/** Data that v1's parameters are checked against. */
interface LegacyContext {
  readonly codes: LegacyCodes;
  readonly searcher: Searcher;
  /** The stored location; a distance may be measured from it. */
  readonly location?: StoredCriteria[string] | undefined;
  readonly members: Pick<MemberIndex, 'centroidOf'>;
}

/** Notes that a parameter is invalid, with its code if it has one. */
type Refuse = (code: number | undefined) => undefined;

function ageOf({ agefrom, ageto }: LegacyInput, codes: LegacyCodes, refuse: Refuse) {
  if (agefrom === undefined && ageto === undefined) return undefined;
  if (agefrom === undefined || ageto === undefined) return refuse(codes.ageAlone);
  const [from, to] = [parseNumber(agefrom), parseNumber(ageto)];
  if (from === undefined || to === undefined) return refuse(codes.ageNotNumeric);
  return from >= 18 && to <= 120 && from <= to ? { from, to } : refuse(codes.ageRange);
}

/** The center that a postal code names: the code itself in the searcher's country, else its coordinates. */
async function centerOf(
  { zip, country }: LegacyInput,
  { codes, searcher, members }: LegacyContext,
  refuse: Refuse,
): Promise<string | undefined> {
  if (zip === undefined) return undefined;
  const text = typeof zip === 'string' || typeof zip === 'number' ? String(zip).trim() : '';
  const home = parseCountry(country) ?? searcher.country;
  if (!home || !isPostalCode(text, home)) return refuse(codes.zip);
  const place = await locatePostalCode(postalKey(text, home), home, members);
  if (!place) return refuse(codes.zip);
  return home === searcher.country ? text : `${place.lat.toFixed(4)},${place.lon.toFixed(4)}`;
}

/** A distance of v2 that the searcher may use and that can be measured. */
function distanceOf(
  { distance, zip }: LegacyInput,
  { codes, searcher, location }: LegacyContext,
  refuse: Refuse,
): number | undefined {
  if (distance === undefined) return undefined;
  const miles = parseNumber(distance);
  if (miles === undefined || !withinMiles.has(miles)) return refuse(codes.distance);
  if (platinumMiles.has(miles) && !searcher.platinum) return refuse(codes.distance);
  const measurable = miles === -1 || zip !== undefined || location?.of !== undefined || searcher.position;
  return measurable ? miles : refuse(codes.distance);
}

/**
 * Converts the parameters of v1 to criteria of v2, whose `location` has only the parts that were sent. Throws 403 with the codes of the
 * invalid ones, in the order of the checks.
 */
export async function parseLegacy(input: LegacyInput, context: LegacyContext) {
  const { codes } = context;
  const refusals: (number | undefined)[] = [];
  const refuse: Refuse = (code) => {
    refusals.push(code);
    return undefined;
  };
  const within = distanceOf(input, context, refuse);
  const age = ageOf(input, codes, refuse);
  const lookingfor = isGender(input.lookingfor) ? input.lookingfor : undefined;
  if (input.lookingfor !== undefined && !lookingfor) refuse(codes.lookingfor);
  const of = await centerOf(input, context, refuse);
  const country = parseCountry(input.country);
  if (input.country !== undefined && !country) refuse(codes.country);
  if (refusals.length) throw invalidArgument(...refusals.filter((code) => code !== undefined));
  const isLocated = within !== undefined || of !== undefined;
  return {
    criteria: {
      ...(age && { age }),
      ...(isLocated && {
        location: { ...(within !== undefined && { within }), ...(of !== undefined && { of }) },
      }),
      ...(country && { country: { value: country } }),
    },
    lookingfor,
  };
}
