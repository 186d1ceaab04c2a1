/** The last entry of a page in a list that is sorted by time, then by `_id`. */
export interface TimeCursor<Key extends string | number = string> {
  readonly at: Date;
  readonly key: Key;
  /** In a list of two parts, each sorted so: whether the entry is in the first part. */
  readonly first?: boolean;
}

/** Filter of the entries behind a cursor, in a list that is sorted by `field` and `_id`: `$gt` ascending, `$lt` descending. */
export function behindCursor(
  field: string,
  { at, key }: TimeCursor<string | number>,
  operator: '$gt' | '$lt',
): object {
  return { $or: [{ [field]: { [operator]: at } }, { [field]: at, _id: { [operator]: key } }] };
}
