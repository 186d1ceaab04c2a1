import { sumOf } from '@covalence/runtime/sum';

const pairsOf = (grades: readonly number[]): (readonly [low: number, high: number])[] => {
  const sorted = grades.toSorted((one, other) => one - other);
  return sorted.flatMap((low, at) => sorted.slice(at + 1).map((high) => [low, high] as const));
};

/**
 * Krippendorff's alpha for ordered grades: 1 if raters agree on every result, 0 if as often as by chance, below 0 if less. Results with
 * one rating do not count. Undefined without two ratings of a result, or if everything has the same grade.
 */
export function agreementOf(results: readonly (readonly number[])[]): number | undefined {
  const rated = results.filter(({ length }) => length > 1);
  const byGrade = Map.groupBy(rated.flat(), (grade) => grade);
  const countOf = (grade: number) => byGrade.get(grade)?.length ?? 0;
  /** Grades are further apart the more ratings lie between them. */
  const distance = (low: number, high: number): number => {
    const between = [...byGrade.keys()].filter((grade) => grade >= low && grade <= high);
    return low === high ? 0 : (sumOf(between, countOf) - (countOf(low) + countOf(high)) / 2) ** 2;
  };
  const observed = sumOf(
    rated,
    (grades) => sumOf(pairsOf(grades), ([low, high]) => distance(low, high)) / (grades.length - 1),
  );
  const expected = sumOf(
    pairsOf([...byGrade.keys()]),
    ([low, high]) => countOf(low) * countOf(high) * distance(low, high),
  );
  return expected ? 1 - ((rated.flat().length - 1) * observed) / expected : undefined;
}
