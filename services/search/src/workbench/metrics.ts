/** How well one search's results fit its judgments; each from 0 to 1. */
export interface Quality {
  /** Gains of the first ten, those of earlier places counting more, over those of the best order there is. */
  readonly ndcg: number;
  /** Good results among the first ten, over ten or as many good ones as there are. */
  readonly precision: number;
  /** Good members among all results looked at, over all good members. */
  readonly recall: number;
}

/** Grades by member id: 0 no match (also where nothing is said), 1 acceptable, 2 good, 3 just right. */
export type Grades = ReadonlyMap<number, number>;

/** The grade from which on a result counts as good. */
const good = 2;

/** Places that nDCG and precision look at. */
const places = 10;

/** Gains of grades in this order: 2^grade - 1, discounted by the logarithm of the place. */
function gain(grades: readonly number[]): number {
  return grades
    .slice(0, places)
    .reduce((sum, grade, index) => sum + (2 ** grade - 1) / Math.log2(index + 2), 0);
}

const goodIn = (grades: readonly number[]) => grades.filter((grade) => grade >= good).length;

/** Measures results in their order against judgments. Throws where no member is good: there is nothing to find. */
export function measure(results: readonly number[], grades: Grades): Quality {
  const all = [...grades.values()].sort((one, other) => other - one);
  const goodOnes = goodIn(all);
  if (!goodOnes) throw new Error('a search without a good member measures nothing');
  const found = results.map((id) => grades.get(id) ?? 0);
  return {
    ndcg: gain(found) / gain(all),
    precision: goodIn(found.slice(0, places)) / Math.min(places, goodOnes),
    recall: goodIn(found) / goodOnes,
  };
}

/** The means over searches. */
export function meanOf(qualities: readonly Quality[]): Quality {
  const mean = (pick: (quality: Quality) => number) =>
    qualities.reduce((sum, one) => sum + pick(one), 0) / qualities.length;
  return {
    ndcg: mean(({ ndcg }) => ndcg),
    precision: mean(({ precision }) => precision),
    recall: mean(({ recall }) => recall),
  };
}
