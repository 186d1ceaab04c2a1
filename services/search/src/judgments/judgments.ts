import { notFound } from '@covalence/contract/failure';
import { wholeNumber } from '@covalence/contract/parameters';
import { sumOf } from '@covalence/runtime/sum';
import { z } from 'zod';
import type { JudgmentSetEntry, JudgmentSetStore, Rating } from './judgment-set-store.ts';
import type { RunStore } from './run-store.ts';
import type { StaffSearchContext } from '../workbench/staff-comparison.ts';

/** The dependencies of staff calls about judgments. */
export interface JudgmentsContext extends StaffSearchContext {
  readonly judgments: { readonly sets: JudgmentSetStore; readonly runs: RunStore };
}

/** A set, a search or a run in examples. */
export const exampleId = '01890a5d-ac96-774b-bcce-b302099a8057';

/** The id of a set, in a path. */
export const setId = z.uuid().meta({ description: 'The set.', examples: [exampleId] });

/** A member in a request. */
export const memberNumber = wholeNumber.pipe(z.int().min(1).max(Number.MAX_SAFE_INTEGER));

/** 0 no match, 1 acceptable, 2 good, 3 ideal. */
export const grade = z.int().min(0).max(3);

/** The search team of the set's site. */
export const onSet = {
  roles: ['search'],
  site: async ({ id }: { readonly id: string }, { judgments }: JudgmentsContext) =>
    (await judgments.sets.find(id))?.siteid,
} as const;

/** The set of a path. Throws 404 where there is none. */
export async function setOf(id: string, { judgments }: JudgmentsContext): Promise<JudgmentSetEntry> {
  const found = await judgments.sets.find(id);
  if (!found) throw notFound();
  return found;
}

/** Ratings by search and result. */
export function resultsOf(ratings: readonly Rating[]): Map<string, Map<number, Rating[]>> {
  const bySearch = Map.groupBy(ratings, ({ search }) => search);
  return new Map([...bySearch].map(([search, of]) => [search, Map.groupBy(of, ({ member }) => member)]));
}

/** The grade of a result: the mean of its raters. */
export const gradeOf = (ratings: readonly Pick<Rating, 'grade'>[]): number =>
  sumOf(ratings, ({ grade: given }) => given) / ratings.length;

/** The grades of each search's results. */
export const gradesOf = (ratings: readonly Rating[]): Map<string, Map<number, number>> =>
  new Map(
    [...resultsOf(ratings)].map(([search, results]) => [
      search,
      new Map([...results].map(([member, of]) => [member, gradeOf(of)])),
    ]),
  );
