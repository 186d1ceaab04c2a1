import { ageOn } from '@covalence/contract/age';
import type { Criterion } from '@covalence/contract/catalogue/criteria';
import { milesBetween, milesPerDegree, type Position } from '@covalence/contract/position';
import { dayMs } from '@covalence/contract/time';
import type { LanguageAnalysis } from '../analysis/analysis.ts';
import type { TypoSettings } from '../analysis/expand-text.ts';
import { fold } from '../analysis/words.ts';
import type { GeneralQuery, GeolocationQuery, QueryCriterion, RangeQuery } from '../criteria/parse-forms.ts';
import type { ParsedSearch } from '../criteria/parse-search.ts';
import { newDays } from '../relevance/general-filter.ts';
import type { MemberFacts } from './member-facts.ts';
import { once, textTests, wordFinder } from './word-match.ts';

/** A member whom alerts are matched with. */
export interface Candidate {
  readonly facts: MemberFacts;
  readonly age: number;
  /** The texts of a criterion's values, made once. */
  values(name: string): readonly string[];
  /** Finds words of a text field. */
  finder(field: string): (wanted: string) => boolean;
}

/** Whether a candidate meets a criterion. */
export type Predicate = (candidate: Candidate) => boolean;

/** Miles by which the searcher's indexed position and the real one differ at most, and two centers of a postal code. */
const slackMiles = { own: 4, other: 10 };

/** The value of each criterion that is not matched by the field of the same name. */
const derived: Readonly<Record<string, (facts: MemberFacts, now: Date) => unknown>> = {
  state: ({ state }) => fold(state ?? ''),
  country: ({ country }) => country,
  zipcode: ({ zip }) => zip,
  zodiac: ({ zodiac }) => zodiac,
  new: ({ joined }, now) => now.getTime() - Date.parse(joined) <= newDays * dayMs,
};

const listed = (value: unknown): string[] => (Array.isArray(value) ? value : [value]).map(String);

/** Prepares a member for matching. */
export const candidateOf = (facts: MemberFacts, now: Date): Candidate => ({
  facts,
  age: ageOn(facts.date_of_birth, now),
  values: once((name) => listed(derived[name] ? derived[name](facts, now) : facts.traits[name])),
  finder: once((field) => {
    const texts = field === 'keywords' ? facts.keywords : listed(facts.traits[field] ?? []);
    return wordFinder(texts);
  }),
});

/** Inputs of a search's predicates, apart from its criteria. */
export interface PredicateContext {
  /** The origin of its distances. */
  readonly origin: Position | null;
  readonly postalCountries: ParsedSearch['postalCountries'];
  /** Of every language that the searcher may take: a text may be found by any of them. */
  readonly rules: readonly LanguageAnalysis['rules'][];
  readonly typos: TypoSettings;
}

function wordsPredicate(
  field: string,
  values: readonly string[],
  { rules, typos }: PredicateContext,
): Predicate {
  const tests = values.flatMap((value) => textTests(value, rules, typos));
  return (candidate) => tests.some((test) => test(candidate.finder(field)));
}

function generalPredicate({ criterion, values }: GeneralQuery, context: PredicateContext): Predicate {
  const { name, field = name, text } = criterion;
  if (text) return wordsPredicate(name === 'keywords' ? name : field, values, context);
  const wanted = new Set(name === 'state' ? values.map(fold) : values);
  const key = derived[name] ? name : field;
  const hasValue: Predicate = (candidate) => candidate.values(key).some((value) => wanted.has(value));
  const countries = new Set(context.postalCountries.filter((country) => country !== null));
  if (name !== 'zipcode' || !countries.size) return hasValue;
  return (candidate) => countries.has(candidate.facts.country ?? '') && hasValue(candidate);
}

function rangePredicate({ criterion, from, to }: RangeQuery): Predicate {
  if (criterion.name === 'age') return ({ age }) => age >= Math.ceil(from) && age <= Math.floor(to);
  const { name, field = name }: Criterion = criterion;
  const [least, most] = [Math.fround(from), Math.fround(to)];
  return ({ facts }) => {
    const value = facts.traits[field];
    return typeof value === 'number' && Math.fround(value) >= least && Math.fround(value) <= most;
  };
}

function distancePredicate({ miles, of }: GeolocationQuery, origin: Position | null): Predicate | undefined {
  if (miles === null || !origin) return undefined;
  const most = miles + slackMiles[of.kind === 'self' ? 'own' : 'other'];
  const degrees = most / milesPerDegree;
  return ({ facts: { position } }) =>
    position !== null &&
    Math.abs(position.lat - origin.lat) <= degrees &&
    milesBetween(origin, position) <= most;
}

/** The predicate of one criterion; undefined where it decides nothing, as a distance without a limit. */
export function predicateOf(query: QueryCriterion, context: PredicateContext): Predicate | undefined {
  if (query.criterion.preference) return undefined;
  if (query.form === 'general') return generalPredicate(query, context);
  return query.form === 'range' ? rangePredicate(query) : distancePredicate(query, context.origin);
}

/** Predicates that take longer come later. */
const effort = ({ form, criterion }: QueryCriterion) => (criterion.text ? 2 : form === 'geolocation' ? 1 : 0);

/**
 * The predicates of a search's criteria, without those that `exactmatch` ignores. A member who passes all of them is likely an exact match;
 * every exact match passes.
 */
export function predicatesOf(criteria: ParsedSearch['criteria'], context: PredicateContext): Predicate[] {
  const ordered = criteria.toSorted((one, other) => effort(one) - effort(other));
  return ordered.flatMap((query) => predicateOf(query, context) ?? []);
}
