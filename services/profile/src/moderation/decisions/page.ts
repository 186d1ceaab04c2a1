/** A place in the queue: when an entry began to wait, and its id among those of the same moment. */
export interface Place<Id> {
  readonly since: Date;
  readonly id: Id;
}

/** Which entries of the queue are asked for, oldest first. */
export interface QueuePage<Id> {
  readonly siteid?: number;
  /** Those that wait since this moment or later, and those that wait since this moment or before. */
  readonly from?: Date;
  readonly until?: Date;
  readonly after?: Place<Id>;
  readonly limit: number;
}

/** A place as clients carry it to the next page. */
export function cursorOf({ since, id }: Place<number | string>): string {
  return Buffer.from(`${since.getTime()}.${id}`).toString('base64url');
}

/** A client's cursor, or undefined where it is none of ours. */
export function placeOf(cursor: string): Place<string> | undefined {
  const [, since, id] = /^(\d{1,15})\.([\d:]{1,40})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  return since === undefined || id === undefined ? undefined : { since: new Date(Number(since)), id };
}

/** Filters of a page, in the order of the queue: the rest of the moment where the last page ended, then what is later. */
function filtersOf<Id>(path: string, { siteid, from, until, after }: QueuePage<Id>): object[] {
  const fixed = siteid === undefined ? {} : { siteid };
  const upTo = until && { $lte: until };
  const begin = { $gte: from ?? new Date(0) };
  if (!after) return [{ ...fixed, [path]: { ...begin, ...upTo } }];
  return [
    { ...fixed, [path]: after.since, _id: { $gt: after.id } },
    { ...fixed, [path]: { $gt: after.since, ...upTo } },
  ];
}

/** Reads a page of what waits since the time at `path`, as many entries as are left of it at a time. */
export async function readPage<Id, Entry>(
  path: string,
  page: QueuePage<Id>,
  read: (filter: object, left: number) => Promise<Entry[]>,
): Promise<Entry[]> {
  const found: Entry[] = [];
  for (const filter of filtersOf(path, page)) {
    const left = page.limit - found.length;
    if (left > 0) found.push(...(await read(filter, left)));
  }
  return found;
}
