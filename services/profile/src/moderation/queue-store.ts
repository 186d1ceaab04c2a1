import type { Connection, QueryFilter } from 'mongoose';
import type { Member } from '../members/document/member.ts';
import type { WaitingKind } from '../members/document/waiting.ts';
import { pageFilter, type QueuePage } from './queue-page.ts';

/** The members that wait for Customer Service. */
export interface QueueStore {
  /** A page of members that wait for a kind of review, oldest first. `flagged` selects those with contact data, or without. */
  page(kind: WaitingKind, page: QueuePage<number> & { readonly flagged?: boolean }): Promise<Member[]>;
}

/** Creates the store on the members collection; the member store must exist. */
export function createQueueStore(connection: Connection): QueueStore {
  const model = connection.model<Member>('Member');
  return {
    page(kind, page) {
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
