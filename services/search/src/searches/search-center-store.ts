import { tooManyRequests } from '@covalence/contract/failure';
import type { Position } from '@covalence/contract/position';
import type { Clock } from '@covalence/runtime/clock';
import { unlessDuplicate } from '@covalence/runtime/duplicate-key';
import { conflict, retryOnConflict } from '@covalence/runtime/retry-on-conflict';
import { LRUCache } from 'lru-cache';
import { Schema, type Connection } from 'mongoose';

/** Counts the places from which members measure distances. */
export interface OriginStore {
  /**
   * Notes that a member measures from a place. Repeats within the hour and the first own position are free; throws 429
   * with Retry-After when the hour's places are used up.
   */
  use(member: number, origin: Position, own: boolean): Promise<void>;
  /** The places of the last hour. */
  list(member: number): Promise<{ readonly place: string; readonly own: boolean; readonly at: Date }[]>;
  /** Deletes everything of members who are gone. */
  forget(members: readonly number[]): Promise<void>;
}

interface UsedOrigin {
  readonly place: string;
  readonly own: boolean;
  readonly at: Date;
}

interface OriginsDocument {
  _id: number;
  origins: UsedOrigin[];
  /** Raised with every change, so that two searches at once cannot both take the last place. */
  revision: number;
  expires: Date;
}

const schema = new Schema<OriginsDocument>(
  {
    _id: { type: Number, required: true },
    origins: [{ _id: false, place: String, own: Boolean, at: Date }],
    revision: { type: Number, required: true },
    expires: { type: Date, required: true },
  },
  { collection: 'origins', versionKey: false },
);
schema.index({ expires: 1 }, { expireAfterSeconds: 0 });

const windowMs = 3_600_000;
/** Places in use that a process remembers: most searches measure from where the one before did. */
const remembered = 10_000;

/** About ten meters; searches measure from the same rounded point. */
export const placeOf = ({ lat, lon }: Position): string => `${lat.toFixed(4)},${lon.toFixed(4)}`;

/** Places that count: those given with a search, and own positions beyond the first (a profile that moves about). */
const counted = (origins: readonly UsedOrigin[]) => {
  const own = origins.filter((origin) => origin.own).length;
  return origins.length - Math.min(own, 1);
};

/** When there is room for one more, ms: places end in the order in which they were noted, and an own one that was free frees none. */
function roomAt(noted: readonly UsedOrigin[], next: UsedOrigin, limit: number): number {
  const last = noted.findIndex((_, index) => counted([...noted.slice(index + 1), next]) <= limit);
  return (noted[last] ?? next).at.getTime() + windowMs;
}

/** Creates the store; `limit` is the number of distinct places an hour. */
export function createOriginStore(connection: Connection, limit: number, now: Clock): OriginStore {
  const model = connection.model('Origins', schema);

  /** When places were first used. What is noted stays noted for its hour, so that no repeat within it has to be looked up. */
  const known = new LRUCache<string, number>({ max: remembered });

  const recent = async (member: number, at: Date) => {
    const found = await model.findById(member).lean();
    const since = at.getTime() - windowMs;
    return {
      revision: found?.revision ?? 0,
      origins: (found?.origins ?? []).filter((origin) => origin.at.getTime() > since),
    };
  };

  const save = async (member: number, origins: UsedOrigin[], revision: number, at: Date) => {
    const expires = new Date(at.getTime() + windowMs);
    const next = { origins, revision: revision + 1, expires };
    if (revision) return (await model.updateOne({ _id: member, revision }, { $set: next })).matchedCount > 0;
    return unlessDuplicate(model.create({ _id: member, ...next }));
  };

  return {
    list: async (member) => (await recent(member, now())).origins,
    async forget(members) {
      await model.deleteMany({ _id: { $in: [...members] } });
    },
    async use(member, origin, own) {
      const place = placeOf(origin);
      const key = `${member} ${place}`;
      if ((known.get(key) ?? 0) > now().getTime() - windowMs) return;
      await retryOnConflict('the origins of a member', async () => {
        const at = now();
        const { origins, revision } = await recent(member, at);
        const noted = origins.find((used) => used.place === place);
        if (noted) {
          known.set(key, noted.at.getTime());
          return;
        }
        const next = { place, own, at };
        const all = [...origins, next];
        if (counted(all) > limit) {
          throw tooManyRequests((roomAt(origins, next, limit) - at.getTime()) / 1_000);
        }
        if (!(await save(member, all, revision, at))) return conflict;
        known.set(key, at.getTime());
      });
    },
  };
}
