import { behindCursor, type TimeCursor } from '../members/page.ts';

/** Entries of the queue to read, oldest first. */
export interface QueuePage<Id extends string | number> {
  readonly siteid?: number;
  /** Entries that wait since `from` or later, and since `until` or earlier. */
  readonly from?: Date;
  readonly until?: Date;
  readonly after?: TimeCursor<Id>;
  readonly limit: number;
}

/** Filter of a page of entries that wait since the time at `path`. */
export function pageFilter<Id extends string | number>(
  path: string,
  { siteid, from = new Date(0), until, after }: QueuePage<Id>,
): object {
  const begin = after && after.at > from ? after.at : from;
  return {
    ...(siteid !== undefined && { siteid }),
    [path]: { $gte: begin, ...(until && { $lte: until }) },
    ...(after && behindCursor(path, after, '$gt')),
  };
}
