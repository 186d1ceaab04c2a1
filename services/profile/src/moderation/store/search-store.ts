import { documentsOf } from '@covalence/runtime/documents';
import type { Connection } from 'mongoose';
import type { Member } from '../../members/document/member.ts';

/** Indexed keys that identify a member. */
export type MemberName = '_id' | 'member_id' | 'push_subscriptions.id';

const shown = {
  member_id: 1,
  siteid: 1,
  joined: 1,
  userstatus: 1,
  suspended: 1,
  deactivated: 1,
  deleted: 1,
  'fields.username': 1,
} as const;

/** The part of a member that a search shows. */
export type FoundMember = Pick<Member, '_id' | 'fields' | Extract<keyof typeof shown, keyof Member>>;

/** Creates the store on the members collection; the member store must exist. */
export function createSearchStore(connection: Connection) {
  const model = connection.model<Member>('Member');
  const documents = documentsOf<Member>(model, shown);
  return {
    /** Members of some sites by their names. */
    find: (
      name: MemberName,
      values: readonly (number | string)[],
      siteids: readonly number[],
      limit: number,
    ): Promise<FoundMember[]> =>
      documents.many({ [name]: { $in: values }, siteid: { $in: siteids } }, { limit }),
    /** Counts members of some countries who joined before a time and were active since another, by site. */
    async activeSince(
      since: Date,
      joinedBefore: Date,
      countries: readonly string[],
    ): Promise<ReadonlyMap<number, number>> {
      const active = { 'presence.last_seen': { $gte: since }, joined: { $lt: joinedBefore } };
      // It looks at every member, so not at the primary.
      const found = await model
        .aggregate<{ readonly _id: number; readonly count: number }>([
          { $match: { ...active, 'fields.country': { $in: [...countries] } } },
          { $group: { _id: '$siteid', count: { $sum: 1 } } },
        ])
        .read('secondaryPreferred');
      return new Map(found.map(({ _id, count }) => [_id, count]));
    },
  };
}
