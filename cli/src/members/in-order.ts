/** Works on items with at most `width` under way at once, and yields what came of them in the order of the items. */
export async function* inOrder<Item, Result>(
  items: Iterable<Item> | AsyncIterable<Item>,
  width: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const underWay: Promise<Result>[] = [];
  for await (const item of items) {
    const result = work(item);
    // It is awaited in its turn; until then its failure is not unhandled.
    result.catch(() => {});
    underWay.push(result);
    const first = underWay.length >= width ? underWay.shift() : undefined;
    if (first) yield await first;
  }
  for (const result of underWay) yield await result;
}
