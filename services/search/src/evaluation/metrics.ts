import { sumOf } from '@covalence/runtime/sum';
/** The quality of one search's results; each metric is from 0 to 1. */
export interface Quality {
  /** The discounted gains of the first ten results, divided by those of the best order. */
  readonly ndcg: number;
  /** Good results among the first ten, divided by ten. */
  readonly precision: number;
  /** Good members among all results, divided by all good members. */
  readonly recall: number;
  /** Expected reciprocal rank: a searcher stops at a result the sooner, the better it is. */
  readonly err: number;
  /** Results with a grade among the first ten, divided by these results: the others count as no match, though nobody looked at them. */
  readonly judged: number;
}

/** Grades by member id: 0 no match (the default), 1 acceptable, 2 good, 3 ideal. */
export type Grades = ReadonlyMap<number, number>;

/** Results with at least this grade count as good. */
const good = 2;

/** Places that nDCG, precision and ERR count. */
const places = 10;

/** The gain of grades in this order: 2^grade - 1, discounted by the logarithm of the place. */
function gain(grades: readonly number[]): number {
  return grades
    .slice(0, places)
    .reduce((sum, grade, index) => sum + (2 ** grade - 1) / Math.log2(index + 2), 0);
}

/** The best grade. */
const best = 3;

/** The sum over places of the chance that a searcher stops there, divided by the place (Chapelle et al., 2009). */
function reciprocalRank(grades: readonly number[]): number {
  let [sum, goesOn] = [0, 1];
  for (const [index, grade] of grades.slice(0, places).entries()) {
    const stops = (2 ** grade - 1) / 2 ** best;
    sum += (goesOn * stops) / (index + 1);
    goesOn *= 1 - stops;
  }
  return sum;
}

const goodIn = (grades: readonly number[]) => grades.filter((grade) => grade >= good).length;

/** Whether results can be measured by these grades. */
export const hasGood = (grades: Grades): boolean => goodIn([...grades.values()]) > 0;

/** Measures results in their order. Throws if no member is good. */
export function measure(results: readonly number[], grades: Grades): Quality {
  const all = [...grades.values()].sort((one, other) => other - one);
  const goodOnes = goodIn(all);
  if (!goodOnes) throw new Error('a search without a good member measures nothing');
  const found = results.map((id) => grades.get(id) ?? 0);
  const first = results.slice(0, places);
  return {
    ndcg: gain(found) / gain(all),
    precision: goodIn(found.slice(0, places)) / places,
    recall: goodIn(found) / goodOnes,
    err: reciprocalRank(found),
    judged: first.length ? first.filter((id) => grades.has(id)).length / first.length : 1,
  };
}

/** The mean of each metric. */
export function meanOf(qualities: readonly Quality[]): Quality {
  const mean = (pick: (quality: Quality) => number) => sumOf(qualities, pick) / qualities.length;
  return {
    ndcg: mean(({ ndcg }) => ndcg),
    precision: mean(({ precision }) => precision),
    recall: mean(({ recall }) => recall),
    err: mean(({ err }) => err),
    judged: mean(({ judged }) => judged),
  };
}
