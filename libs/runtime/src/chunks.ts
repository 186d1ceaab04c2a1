/** Splits items into arrays of `size`; the last one may be shorter. */
export function* chunks<Item>(items: Iterable<Item>, size: number): Generator<Item[]> {
  let chunk: Item[] = [];
  for (const item of items) {
    chunk.push(item);
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length) yield chunk;
}

/** Maps items, `atOnce` at a time. */
export async function mapChunks<Item, Result>(
  items: Iterable<Item>,
  atOnce: number,
  map: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const some of chunks(items, atOnce)) results.push(...(await Promise.all(some.map(map))));
  return results;
}
