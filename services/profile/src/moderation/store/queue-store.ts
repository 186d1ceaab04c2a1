import type { Connection, Model, QueryFilter } from 'mongoose';
import { behindCursor, type TimeCursor } from '../../members/store/time-cursor.ts';
import type { Member } from '../../members/document/member.ts';
import type { WaitingKind } from '../../members/document/account-status.ts';

/** Entries of the queue to read, oldest first. */
export interface QueuePage<Id extends string | number> {
  readonly siteids: readonly number[];
  readonly from?: Date;
  readonly until?: Date;
  readonly after?: TimeCursor<Id>;
  /** Entries to leave out. */
  readonly except?: readonly Id[];
  readonly limit: number;
}

/** Filter of a page of entries of a site that wait since the time at `path`. */
export function pageFilter<Id extends string | number>(
  path: string,
  siteid: number,
  { from = new Date(0), until, after, except = [] }: QueuePage<Id>,
): object {
  const begin = after && after.at > from ? after.at : from;
  return {
    siteid,
    [path]: { $gte: begin, ...(until && { $lte: until }) },
    ...(except.length > 0 && { _id: { $nin: [...except] } }),
    ...(after && behindCursor(path, after, '$gt')),
  };
}

/** Reads a page site by site, each in the order of the index, and merges them: a site with little to do waits for no other one. */
export async function mergeSites<Entry extends { readonly _id: number | string }>(
  { siteids, limit }: Pick<QueuePage<never>, 'siteids' | 'limit'>,
  read: (siteid: number) => Promise<Entry[]>,
  since: (entry: Entry) => Date | undefined,
): Promise<Entry[]> {
  const timeOf = (entry: Entry) => since(entry)?.getTime() ?? 0;
  const found = (await Promise.all(siteids.map(read))).flat();
  return found
    .toSorted((one, other) => timeOf(one) - timeOf(other) || (one._id < other._id ? -1 : 1))
    .slice(0, limit);
}

/** Reads a page of a list of two parts, each in its order. */
export async function readParts<Id extends string | number, Entry>(
  page: QueuePage<Id>,
  read: (page: QueuePage<Id>, isFirst: boolean) => Promise<Entry[]>,
): Promise<Entry[]> {
  const { after, ...fromStart } = page;
  if (after && !after.first) return read(page, false);
  const first = await read(page, true);
  const limit = page.limit - first.length;
  return limit > 0 ? [...first, ...(await read({ ...fromStart, limit }, false))] : first;
}

/** The number of entries that wait on a site, and the oldest one's time. */
export interface SiteSummary {
  readonly siteid: number;
  readonly waiting: number;
  readonly oldest: Date;
}

/** Counts the entries that wait since the time at `path`, by site; `more` narrows them. */
export async function summarize(
  model: Pick<Model<never>, 'aggregate'>,
  path: string,
  siteids: readonly number[],
  /** Further conditions on the entries. */
  filter: object = {},
): Promise<SiteSummary[]> {
  const found = await model.aggregate<Omit<SiteSummary, 'siteid'> & { readonly _id: number }>([
    { $match: { siteid: { $in: [...siteids] }, [path]: { $gte: new Date(0) }, ...filter } },
    // Only fields of the index are read.
    { $project: { _id: 0, siteid: 1, [path]: 1 } },
    { $group: { _id: '$siteid', waiting: { $sum: 1 }, oldest: { $min: `$${path}` } } },
  ]);
  return found.map(({ _id: siteid, waiting, oldest }) => ({ siteid, waiting, oldest }));
}

/** Orders of a queue: the oldest first, or before them those that are flagged. */
export const queueOrders = ['age', 'risk'] as const;

/** Selects a page of members. */
type MembersPage = QueuePage<number> & {
  /** Only those with contact data, a match of the ban list, signals of a scam or points; or only others. */
  readonly flagged?: boolean;
  readonly sort?: (typeof queueOrders)[number];
};

/** Creates the store on the members collection; the member store must exist. */
export function createQueueStore(connection: Connection) {
  const model = connection.model<Member>('Member');
  return {
    /** A page of members that wait for a kind of review. */
    page(kind: WaitingKind, { flagged, sort, ...page }: MembersPage): Promise<Member[]> {
      const path = `waiting.${kind}`;
      const read = (part: QueuePage<number>, isFlagged?: boolean) => {
        const which = isFlagged === undefined ? {} : { 'waiting.flagged': isFlagged || { $ne: true } };
        const readSite = (siteid: number) =>
          model
            .find({ ...pageFilter(path, siteid, part), ...which } as QueryFilter<Member>, {
              outbox: 0,
              outboxAt: 0,
            })
            .sort({ [path]: 1, _id: 1 })
            .limit(part.limit)
            .lean<Member[]>();
        return mergeSites(part, readSite, ({ waiting }) => waiting?.[kind]);
      };
      return sort === 'risk' && flagged === undefined ? readParts(page, read) : read(page, flagged);
    },
    /** The members of whom points propose a measure that staff have not looked at. */
    async proposed(): Promise<number[]> {
      const found = await model
        .find({ strikes_at: { $gt: new Date(0) } }, { _id: 1 })
        .lean<Pick<Member, '_id'>[]>();
      return found.map(({ _id }) => _id);
    },
    /** Counts the members that wait for a kind of review, by site. */
    summary: (kind: WaitingKind, siteids: readonly number[]): Promise<SiteSummary[]> =>
      summarize(model, `waiting.${kind}`, siteids),
  };
}
