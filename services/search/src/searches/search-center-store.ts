import { tooManyRequests } from '@covalence/contract/failure';
import type { Position } from '@covalence/contract/position';
import type { Clock } from '@covalence/runtime/clock';
import { unlessDuplicate } from '@covalence/runtime/duplicate-key';
import { conflict, retryOnConflict } from '@covalence/runtime/retry-on-conflict';
import { required } from '@covalence/runtime/schema';
import { LRUCache } from 'lru-cache';
import { Schema, type Connection } from 'mongoose';

/** Limits the distinct centers of a member's distance searches. */
export type SearchCenterStore = ReturnType<typeof createSearchCenterStore>;

interface UsedCenter {
  readonly place: string;
  readonly own: boolean;
  readonly at: Date;
}

interface SearchCentersDocument {
  _id: number;
  origins: UsedCenter[];
  /** Increases with every change, so that concurrent searches cannot share the last free center. */
  revision: number;
  expires: Date;
}

const schema = new Schema<SearchCentersDocument>(
  {
    ...required({ _id: Number, revision: Number, expires: Date }),
    origins: [{ _id: false, place: String, own: Boolean, at: Date }],
  },
  { collection: 'origins', versionKey: false },
);
schema.index({ expires: 1 }, { expireAfterSeconds: 0 });

const windowMs = 3_600_000;
/** Centers cached in a process, because most searches repeat the center of the last one. */
const cacheSize = 10_000;

/** Rounds to about ten meters; searches measure from the rounded point. */
export const centerKey = ({ lat, lon }: Position): string => `${lat.toFixed(4)},${lon.toFixed(4)}`;

/** Counts centers without the member's first own position. */
const countOf = (origins: readonly UsedCenter[]) => {
  const own = origins.filter((origin) => origin.own).length;
  return origins.length - Math.min(own, 1);
};

/** When the next center is allowed, ms: the oldest ones expire first. */
function allowedAt(used: readonly UsedCenter[], next: UsedCenter, limit: number): number {
  const last = used.findIndex((_, index) => countOf([...used.slice(index + 1), next]) <= limit);
  return (used[last] ?? next).at.getTime() + windowMs;
}

/** Creates the store; `limit` is the number of distinct centers per hour. */
export function createSearchCenterStore(connection: Connection, limit: number, now: Clock) {
  const model = connection.model('Origins', schema);

  /** When centers were first used; a repeat within the hour needs no read. */
  const known = new LRUCache<string, number>({ max: cacheSize });

  const recent = async (member: number, at: Date) => {
    const found = await model.findById(member).lean();
    const since = at.getTime() - windowMs;
    const stored = found?.origins ?? [];
    const origins = stored.filter((origin) => origin.at.getTime() > since);
    return { revision: found?.revision ?? 0, origins, hasExpired: origins.length < stored.length };
  };

  const save = async (
    member: number,
    next: UsedCenter,
    { origins, revision, hasExpired }: Awaited<ReturnType<typeof recent>>,
  ) => {
    const all = [...origins, next];
    const change = { revision: revision + 1, expires: new Date(next.at.getTime() + windowMs) };
    if (!revision) return unlessDuplicate(model.create({ _id: member, origins: all, ...change }));
    // A list of thousands is written again only when it becomes shorter.
    const update = hasExpired
      ? { $set: { ...change, origins: all } }
      : { $set: change, $push: { origins: next } };
    return (await model.updateOne({ _id: member, revision }, update)).matchedCount > 0;
  };

  return {
    /** The centers of the last hour. */
    list: async (member: number) => (await recent(member, now())).origins,
    /** Deletes everything about deleted members. */
    async forget(members: readonly number[]): Promise<void> {
      await model.deleteMany({ _id: { $in: members } });
    },
    /** Counts a center. Repeats within the hour and the first own position are free. Throws 429 with Retry-After beyond the limit. */
    async use(member: number, origin: Position, own: boolean): Promise<void> {
      const place = centerKey(origin);
      const key = `${member} ${place}`;
      if ((known.get(key) ?? 0) > now().getTime() - windowMs) return;
      await retryOnConflict('the origins of a member', async () => {
        const at = now();
        const used = await recent(member, at);
        const { origins } = used;
        const repeated = origins.find((one) => one.place === place);
        if (repeated) {
          known.set(key, repeated.at.getTime());
          return undefined;
        }
        const next = { place, own, at };
        if (countOf([...origins, next]) > limit) {
          throw tooManyRequests((allowedAt(origins, next, limit) - at.getTime()) / 1_000);
        }
        if (!(await save(member, next, used))) return conflict;
        known.set(key, at.getTime());
        return undefined;
      });
    },
  };
}
