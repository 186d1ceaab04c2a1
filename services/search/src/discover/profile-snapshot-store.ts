import { milesBetween, type Position } from '@covalence/contract/position';
import { dayMs } from '@covalence/contract/time';
import type { Clock } from '@covalence/runtime/clock';
import { unlessDuplicate } from '@covalence/runtime/duplicate-key';
import { required } from '@covalence/runtime/schema';
import { Schema, type Connection } from 'mongoose';
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { VisibleSource } from '../index/member-document.ts';

/** The facts that the criteria of others are compared with, without texts. */
export type SnapshotFacts = Pick<
  VisibleSource,
  'date_of_birth' | 'zodiac' | 'joined' | 'position' | 'country' | 'state' | 'zip' | 'traits'
>;

/** A member as the criteria of others see them. It stays the same for a week, so that few changes of a profile can be tried on them. */
export interface ProfileSnapshot {
  /** The day on which it began. */
  readonly since: string;
  /** Whether it replaced another one before the week was over. */
  readonly renewed: boolean;
  readonly seen_as: SnapshotFacts;
  /** Decides what is left to chance in the feeds of the week. Nobody outside knows it. */
  readonly seed: string;
}

interface ProfileSnapshotDocument extends ProfileSnapshot {
  _id: number;
  expires: Date;
}

const schema = new Schema<ProfileSnapshotDocument>(
  {
    ...required({ _id: Number, since: String, renewed: Boolean, seen_as: Schema.Types.Mixed, seed: String }),
    ...required({ expires: Date }),
  },
  { collection: 'appearances', versionKey: false, minimize: false },
);
schema.index({ expires: 1 }, { expireAfterSeconds: 0 });

const week = 7;

/** Moves within this distance, in miles, count from the next week. */
const near = 25;

const isNear = (one: Position | null, other: Position | null) =>
  one === other || (one !== null && other !== null && milesBetween(one, other) <= near);

const isAlike = (before: SnapshotFacts, now: SnapshotFacts): boolean =>
  isNear(before.position, now.position) &&
  isDeepStrictEqual({ ...before, position: null }, { ...now, position: null });

const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / dayMs;

/** Profile snapshots of members. */
export type ProfileSnapshotStore = ReturnType<typeof createProfileSnapshotStore>;

/** Creates the store. */
export function createProfileSnapshotStore(connection: Connection, clock: Clock) {
  const model = connection.model('ProfileSnapshot', schema);
  const find = async (member: number): Promise<ProfileSnapshot | undefined> =>
    (await model.findById(member).lean<ProfileSnapshotDocument>()) ?? undefined;
  return {
    find,
    /**
     * The snapshot of the week. A new one begins with these facts after seven days, and earlier once in a week on a day that
     * begins with other facts.
     */
    async onDay(
      day: string,
      { member, facts, isFirst }: { member: number; facts: SnapshotFacts; isFirst: boolean },
    ): Promise<ProfileSnapshot> {
      const found = await find(member);
      const age = found ? daysBetween(found.since, day) : week;
      const mayRenew = isFirst && age > 0 && found?.renewed === false && !isAlike(found.seen_as, facts);
      if (found && age < week && !mayRenew) return found;
      const begun = {
        since: day,
        renewed: age < week,
        seen_as: facts,
        seed: randomUUID(),
        expires: new Date(clock().getTime() + (week + 1) * dayMs),
      };
      // A concurrent call that began it makes this a duplicate.
      await unlessDuplicate(
        model.updateOne({ _id: member, since: { $lt: day } }, { $set: begun }, { upsert: true }),
      );
      return (await find(member)) ?? begun;
    },
    /** Deletes everything about deleted members. */
    async forget(members: readonly number[]): Promise<void> {
      await model.deleteMany({ _id: { $in: members } });
    },
  };
}
