/** The sum of a value of each item. */
export function sumOf<Item>(items: Iterable<Item>, valueOf: (item: Item) => number): number {
  let sum = 0;
  for (const item of items) sum += valueOf(item);
  return sum;
}
