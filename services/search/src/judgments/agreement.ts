/** The ratings of one result, by different raters. */
type Unit = readonly number[];

/** Counts pairs of grades that different raters gave to the same result. */
function coincidences(units: readonly Unit[]): Map<number, Map<number, number>> {
  const pairs = new Map<number, Map<number, number>>();
  for (const unit of units) {
    for (const [at, one] of unit.entries()) {
      for (const [place, other] of unit.entries()) {
        if (at === place) continue;
        const row = pairs.get(one) ?? new Map<number, number>();
        pairs.set(one, row.set(other, (row.get(other) ?? 0) + 1 / (unit.length - 1)));
      }
    }
  }
  return pairs;
}

/**
 * Krippendorff's alpha for ordered grades: 1 if raters agree on every result, 0 if as often as by chance, below 0 if less. Results with
 * one rating do not count. Undefined without two ratings of a result, or if everything has the same grade.
 */
export function agreementOf(units: readonly Unit[]): number | undefined {
  const pairs = coincidences(units.filter(({ length }) => length > 1));
  const grades = [...pairs.keys()].toSorted((one, other) => one - other);
  const counts = new Map(
    grades.map((grade) => [
      grade,
      [...(pairs.get(grade)?.values() ?? [])].reduce((sum, one) => sum + one, 0),
    ]),
  );
  const countOf = (grade: number) => counts.get(grade) ?? 0;
  /** Grades are further apart the more ratings lie between them. */
  const distance = (low: number, high: number): number => {
    const between = grades.filter((grade) => grade >= low && grade <= high);
    const sum = between.reduce((all, grade) => all + countOf(grade), 0);
    return (sum - (countOf(low) + countOf(high)) / 2) ** 2;
  };
  const total = grades.reduce((sum, grade) => sum + countOf(grade), 0);
  let [observed, expected] = [0, 0];
  for (const [at, low] of grades.entries()) {
    for (const high of grades.slice(at + 1)) {
      observed += (pairs.get(low)?.get(high) ?? 0) * distance(low, high);
      expected += countOf(low) * countOf(high) * distance(low, high);
    }
  }
  return expected ? 1 - ((total - 1) * observed) / expected : undefined;
}
