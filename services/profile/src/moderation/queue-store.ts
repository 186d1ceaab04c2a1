import type { Connection, QueryFilter } from 'mongoose';
import { behindCursor, type TimeCursor } from '../members/store/time-cursor.ts';
import type { Member } from '../members/document/member.ts';
import type { WaitingKind } from '../members/document/account-status.ts';

/** Entries of the queue to read, oldest first. */
export interface QueuePage<Id extends string | number> {
  /** Undefined: every site. */
  readonly siteids?: readonly number[] | undefined;
  readonly from?: Date;
  readonly until?: Date;
  readonly after?: TimeCursor<Id>;
  readonly limit: number;
}

/** Filter of a page of entries that wait since the time at `path`. */
export function pageFilter<Id extends string | number>(
  path: string,
  { siteids, from = new Date(0), until, after }: QueuePage<Id>,
): object {
  const begin = after && after.at > from ? after.at : from;
  return {
    ...(siteids && { siteid: { $in: siteids } }),
    [path]: { $gte: begin, ...(until && { $lte: until }) },
    ...(after && behindCursor(path, after, '$gt')),
  };
}

/** Creates the store on the members collection; the member store must exist. */
export function createQueueStore(connection: Connection) {
  const model = connection.model<Member>('Member');
  return {
    /** A page of members that wait for a kind of review, oldest first. `flagged` selects those with contact data, or without. */
    page(kind: WaitingKind, page: QueuePage<number> & { readonly flagged?: boolean }): Promise<Member[]> {
      const path = `waiting.${kind}`;
      const flagged = page.flagged === undefined ? {} : { 'waiting.flagged': page.flagged || { $ne: true } };
      return model
        .find({ ...pageFilter(path, page), ...flagged } as QueryFilter<Member>, { outbox: 0, outboxAt: 0 })
        .sort({ [path]: 1, _id: 1 })
        .limit(page.limit)
        .lean<Member[]>();
    },
  };
}
