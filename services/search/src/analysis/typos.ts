/** The budget for comparing words: a step is a letter of one of them. */
export interface ComparisonBudget {
  steps: number;
}

/** Stands for more typos than anybody counts. */
const tooMany = 1_000;

const smallest = (one: number, other: number) => (one < other ? one : other);

/**
 * The number of typos between two words: letters that are missing, added, other or swapped with their neighbor. Infinity if there are
 * more than `most`. Reduces the budget.
 */
export function typosBetween(one: string, other: string, most: number, budget?: ComparisonBudget): number {
  if (Math.abs(one.length - other.length) > most) return Infinity;
  // Letters that are more than `most` places apart cannot be the same one: entry `at` of a line is column `line + at - most`.
  const width = 2 * most + 1;
  const newLine = () => new Uint16Array(width).fill(tooMany);
  let [before, row, next] = [newLine(), newLine(), newLine()];
  for (let at = most; at < width; at += 1) row[at] = at - most;
  for (let line = 1; line <= one.length; line += 1) {
    if (budget) budget.steps -= 1;
    const letter = one.charCodeAt(line - 1);
    const last = one.charCodeAt(line - 2);
    let left = tooMany;
    let fewest = tooMany;
    for (let at = 0; at < width; at += 1) {
      const column = line + at - most;
      if (column < 0 || column > other.length) {
        next[at] = tooMany;
        left = tooMany;
        continue;
      }
      const same = other.charCodeAt(column - 1);
      const isSwapped = letter === other.charCodeAt(column - 2) && last === same;
      const replaced = (row[at] ?? tooMany) + (letter === same ? 0 : 1);
      const missing = (row[at + 1] ?? tooMany) + 1;
      const swapped = isSwapped ? (before[at] ?? tooMany) + 1 : tooMany;
      left = smallest(smallest(replaced, missing), smallest(left + 1, swapped));
      next[at] = left;
      fewest = smallest(fewest, left);
    }
    if (fewest > most) return Infinity;
    [before, row, next] = [row, next, before];
  }
  const typos = row[other.length - one.length + most] ?? tooMany;
  return typos <= most ? typos : Infinity;
}
