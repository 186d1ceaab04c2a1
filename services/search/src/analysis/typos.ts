/**
 * The number of typos between two words: letters that are missing, added, other or swapped with their neighbor. Infinity if there are
 * more than `most`.
 */
export function typosBetween(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return Infinity;
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let line = 1; line <= one.length; line += 1) {
    const next = [line];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[line - 1] === other[column - 1];
      const isSwapped = one[line - 1] === other[column - 2] && one[line - 2] === other[column - 1];
      next[column] = Math.min(
        (row[column] ?? Infinity) + 1,
        (next[column - 1] ?? Infinity) + 1,
        (row[column - 1] ?? Infinity) + (isSame ? 0 : 1),
        isSwapped ? (before[column - 2] ?? Infinity) + 1 : Infinity,
      );
    }
    if (Math.min(...next) > most) return Infinity;
    before = row;
    row = next;
  }
  const typos = row[other.length] ?? Infinity;
  return typos <= most ? typos : Infinity;
}
