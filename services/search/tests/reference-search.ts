import { criterionByName, keywordFields } from '@covalence/contract/catalogue/criteria';
import type { SearchProjection } from '@covalence/contract/search-projection';
import { zodiacSign } from '@covalence/contract/zodiac';
import { testNow } from './population.ts';

/** A search of a client: criteria by name, and control parameters. */
export interface PlainSearch {
  readonly criteria: Readonly<Record<string, PlainCriterion>>;
  readonly sortby?: string;
}

/** One criterion of a client. */
export interface PlainCriterion {
  readonly value?: string | number;
  readonly values?: readonly (string | number)[];
  readonly from?: number;
  readonly to?: number;
  readonly within?: number;
  readonly of?: string;
}

/** One expected result. */
export interface ExpectedUser {
  readonly id: number;
  readonly relevance: number;
  readonly exactmatch: boolean;
  readonly miles: number;
}

const dayMs = 86_400_000;
const tolerance = 2;

const ageOf = ({ date_of_birth: born }: SearchProjection): number => {
  const today = testNow.toISOString().slice(0, 10);
  const years = Number(today.slice(0, 4)) - Number(born.slice(0, 4));
  return today.slice(5) < born.slice(5) ? years - 1 : years;
};

const radians = (degrees: number) => (degrees * Math.PI) / 180;

type Position = NonNullable<SearchProjection['position']>;

/** Great-circle distance in miles. */
function milesBetween(from: Position, to: Position): number {
  const half =
    Math.sin(radians(to.lat - from.lat) / 2) ** 2 +
    Math.cos(radians(from.lat)) * Math.cos(radians(to.lat)) * Math.sin(radians(to.lon - from.lon) / 2) ** 2;
  return (2 * 6_371_008.7714 * Math.asin(Math.sqrt(half))) / 1_609.344;
}

const daysSince = (time: string | null) =>
  time === null ? Infinity : (testNow.getTime() - new Date(time).getTime()) / dayMs;

const hasWords = (query: string, texts: readonly unknown[]) => {
  const found = texts.join(' ').toLowerCase().split(/\s+/);
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => found.includes(word));
};

/** The values of a member for a general criterion without a field. */
const facts: Record<string, (member: SearchProjection) => unknown[]> = {
  state: ({ state }) => [state],
  country: ({ country }) => [country],
  // The searcher lives in the United States.
  zipcode: ({ zip, country }) => (country === 'US' ? [zip] : []),
  photo: ({ photo }) => [photo],
  new: ({ joined }) => [daysSince(joined) <= 30],
  online: ({ last_seen, offline }) => [daysSince(last_seen) <= 10 / 1440 && !offline],
  zodiac: ({ date_of_birth }) => [zodiacSign(date_of_birth)],
};

const valuesOf = ({ value, values = [] }: PlainCriterion) =>
  [value, ...values].filter((one) => one !== undefined).map(String);

function generalCredit(name: string, wanted: string[], member: SearchProjection): number {
  const criterion = criterionByName(name);
  if (name === 'keywords') {
    const texts = keywordFields.map((field) => member.traits[field] ?? '');
    return wanted.some((query) => hasWords(query, texts)) ? 1 : 0;
  }
  if (name === 'last_active') return daysSince(member.last_seen) <= Math.max(...wanted.map(Number)) ? 1 : 0;
  const trait = member.traits[criterion?.field ?? name];
  const has = (facts[name]?.(member) ?? [trait].flat()).map(String);
  if (criterion?.text) return wanted.some((query) => hasWords(query, [trait ?? ''])) ? 1 : 0;
  if (has.some((code) => wanted.includes(code))) return 1;
  const near = has.flatMap((code) => wanted.map((want) => criterion?.neighbors?.[want]?.[code] ?? 0));
  return Math.max(0, ...near);
}

/** The credit of a member for one criterion, 0 to 1. */
function creditOf(
  name: string,
  plain: PlainCriterion,
  member: SearchProjection,
  origin: Position | null,
): number {
  if (name === 'age') {
    const age = ageOf(member);
    const outside = Math.max(0, (plain.from ?? 18) - age, age - (plain.to ?? 120));
    return Math.max(0, 1 - outside / (tolerance + 1));
  }
  if (name === 'height') {
    const height = member.traits['height'];
    if (typeof height !== 'number') return 0;
    const outside = Math.max(0, (plain.from ?? 120) - height, height - (plain.to ?? 230));
    return Math.max(0, 1 - outside / 15);
  }
  if (name === 'location') {
    if (!origin || !member.position) return 0;
    const miles = milesBetween(origin, member.position);
    if (plain.within !== undefined && plain.within !== -1) return miles <= plain.within ? 1 : 0;
    return Math.min(1, Math.max(0, 1 - (Math.round(miles) - 25) / 475));
  }
  return generalCredit(name, valuesOf(plain), member);
}

const isPreference = (name: string, plain: PlainCriterion) =>
  name === 'location'
    ? plain.within === undefined || plain.within === -1
    : criterionByName(name)?.preference === true;

const isLimit = (name: string, plain: PlainCriterion) =>
  name === 'location' ? !isPreference(name, plain) : criterionByName(name)?.hard === true;

const eligible = (viewer: SearchProjection, other: SearchProjection) =>
  other.visible &&
  other.id !== viewer.id &&
  other.gender === viewer.gender_preference &&
  other.gender_preference === viewer.gender &&
  (other.group === viewer.group || other.world_plus);

const descending = (one: string | null, other: string | null) => (other ?? '').localeCompare(one ?? '') || 0;

const ascending = (one: string | null, other: string | null) => (one ?? '9').localeCompare(other ?? '9') || 0;

type Compare = (one: SearchProjection, other: SearchProjection) => number;

const day = (time: string | null) => time?.slice(0, 10) ?? null;

const orders: Record<string, Compare> = {
  relevance: () => 0,
  lastactive: (one, other) => descending(one.last_seen, other.last_seen),
  newest: (one, other) => descending(one.joined, other.joined),
  'platinum-asc': (one, other) => ascending(one.platinum_until, other.platinum_until),
  'platinum-desc': (one, other) => descending(one.platinum_until, other.platinum_until),
  'platinum-score-asc': (one, other) => ascending(day(one.platinum_until), day(other.platinum_until)),
  'platinum-score-desc': (one, other) => descending(day(one.platinum_until), day(other.platinum_until)),
};

const weighed = (credits: readonly number[], weights: readonly number[]) =>
  credits.reduce((all, credit, index) => all + credit * (weights[index] ?? 0), 0);

/** Relevance has six digits. */
const rank = (relevance: number) => Math.round(relevance * 1e6);

/** Searches members in memory: the expected results, in order. */
export function expectedResults(
  members: readonly SearchProjection[],
  viewer: SearchProjection,
  origin: Position | null,
  { criteria, sortby = 'distance' }: PlainSearch,
): ExpectedUser[] {
  const measurable = Object.entries(criteria).filter(([name]) => name !== 'location' || origin !== null);
  const weights = measurable.map(([name]) => criterionByName(name)?.weight ?? 0);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const results = members
    .filter((member) => eligible(viewer, member))
    .map((member) => {
      const credits = measurable.map(([name, plain]) => creditOf(name, plain, member, origin));
      const relevance = weighed(credits, weights) / total;
      const miles = origin && member.position ? milesBetween(origin, member.position) : Infinity;
      const exactmatch = measurable.every(
        ([name, plain], index) => isPreference(name, plain) || credits[index] === 1,
      );
      const within = measurable.every(
        ([name, plain], index) => !isLimit(name, plain) || (credits[index] ?? 0) > 0,
      );
      return { member, within, expected: { id: member.id, relevance, exactmatch, miles } };
    })
    .filter(({ within }) => within);
  const compare = orders[sortby];
  return results
    .sort(
      (one, other) =>
        (compare
          ? compare(one.member, other.member)
          : one.expected.miles === other.expected.miles
            ? 0
            : one.expected.miles - other.expected.miles) ||
        rank(other.expected.relevance) - rank(one.expected.relevance) ||
        one.expected.id - other.expected.id,
    )
    .map(({ expected }) => expected);
}
