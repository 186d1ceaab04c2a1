import type { Connection, QueryFilter } from 'mongoose';
import type { Member } from '../members/document/member.ts';
import { readPage, type QueuePage } from './decisions/page.ts';
import type { WaitingKind } from '../members/document/waiting-kinds.ts';

/** The members that wait for Customer Service. */
export interface QueueStore {
  /** A page of members that wait for a kind of review, oldest first; `flagged` asks for those with contact data, or without. */
  page(kind: WaitingKind, page: QueuePage<number> & { readonly flagged?: boolean }): Promise<Member[]>;
}

/** Creates the store over the members, whose model is declared already. */
export function createQueueStore(connection: Connection): QueueStore {
  const model = connection.model<Member>('Member');
  return {
    page(kind, page) {
      const path = `waiting.${kind}`;
      const flagged = page.flagged === undefined ? {} : { 'waiting.flagged': page.flagged || { $ne: true } };
      return readPage(path, page, (filter, left) =>
        model
          .find({ ...filter, ...flagged } as QueryFilter<Member>, { outbox: 0, outboxAt: 0 })
          .sort({ [path]: 1, _id: 1 })
          .limit(left)
          .lean<Member[]>(),
      );
    },
  };
}
