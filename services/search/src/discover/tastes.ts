import { answerByName } from '@covalence/contract/catalogue/answers';
import { criteria } from '@covalence/contract/catalogue/criteria';
import { sumOf } from '@covalence/runtime/sum';
import type { VisibleSource } from '../index/member-document.ts';
import type { Relation } from '../criteria/relations.ts';

type Traits = VisibleSource['traits'];

/** A value that a member likes more often than others, or less often. */
export interface Taste {
  readonly field: string;
  readonly value: string;
  /** Log-odds of a like where the value is given: below 0 for values that are passed. */
  readonly weight: number;
}

/** Choices that are looked at, the latest first, and those of each kind that there must be. */
const choices = { most: 200, least: 5 };

/** The strongest tastes count, which are few enough to be read. */
const mostTastes = 12;

/** Coded answers of the catalogue, but none that only its owner reads, whatever the site shows: race, religion, politics, opinions, income. */
const learnable: ReadonlySet<string> = new Set(
  criteria.flatMap(({ field = '', codes }) => {
    const answer = codes && answerByName(field);
    return answer && answer.visibility !== 'owner' ? [field] : [];
  }),
);

const othersIn = (relations: readonly Relation[], liked: boolean): number[] =>
  relations.filter(({ likes }) => likes === liked).map(({ other }) => other);

/** Members whom a member liked and passed. */
export interface Choices {
  readonly liked: readonly number[];
  readonly passed: readonly number[];
}

/** The members whom a member liked and passed last; undefined where they are too few to learn from. */
export function choicesIn(relations: Iterable<Relation>): Choices | undefined {
  const decided = [...relations].filter((one) => one.likes || one.declines || one.passed_until !== null);
  const latest = decided.toSorted((one, other) => other.version - one.version).slice(0, choices.most);
  const [liked, passed] = [othersIn(latest, true), othersIn(latest, false)];
  return Math.min(liked.length, passed.length) < choices.least ? undefined : { liked, passed };
}

const valuesOf = (traits: Traits, field: string): string[] => [traits[field] ?? []].flat().map(String);

/** Counts the members with each value, and those with any answer, by field. */
function countValues(members: readonly Traits[]) {
  const counts = new Map<string, { answered: number; readonly byValue: Map<string, number> }>();
  for (const traits of members) {
    for (const field of learnable) {
      const values = valuesOf(traits, field);
      if (!values.length) continue;
      const count = counts.get(field) ?? { answered: 0, byValue: new Map<string, number>() };
      counts.set(field, count);
      count.answered += 1;
      for (const value of values) count.byValue.set(value, (count.byValue.get(value) ?? 0) + 1);
    }
  }
  return counts;
}

type Counts = ReturnType<typeof countValues>;

/** The share of members with a value; smoothed, so that a value that nobody has is rare and not impossible. */
function shareOf(counts: Counts, field: string, value: string): number {
  const { answered = 0, byValue } = counts.get(field) ?? {};
  return ((byValue?.get(value) ?? 0) + 1) / (answered + 2);
}

/** The preferences that a member's likes and passes reveal; none if there are few of either. */
export function learnTastes(liked: readonly Traits[], passed: readonly Traits[]): Taste[] {
  if (liked.length < choices.least || passed.length < choices.least) return [];
  const [likes, passes] = [countValues(liked), countValues(passed)];
  const tastes = [...learnable].flatMap((field) => {
    const values = new Set(
      [likes, passes].flatMap((counts) => [...(counts.get(field)?.byValue.keys() ?? [])]),
    );
    return [...values].map((value) => {
      const weight = Math.log(shareOf(likes, field, value) / shareOf(passes, field, value));
      return { field, value, weight };
    });
  });
  return tastes.toSorted((one, other) => Math.abs(other.weight) - Math.abs(one.weight)).slice(0, mostTastes);
}

/** A member's match with a taste, from 0 to 1; 0.5 if nothing is known. */
export function affinityOf(traits: Traits, tastes: readonly Taste[]): number {
  const met = tastes.filter(({ field, value }) => valuesOf(traits, field).includes(value));
  return 1 / (1 + Math.exp(-sumOf(met, ({ weight }) => weight)));
}

/** Steps in which the tastes of others count, so that an order does not reveal them one by one. */
const steps = 4;

/** A match with the taste of a member whose taste an order must not reveal. */
export const inSteps = (affinity: number): number => Math.round(affinity * steps) / steps;
