import type { Gender } from '@covalence/contract/record';
import { Schema, type Connection } from 'mongoose';
import {
  readableCriteria,
  storedCriteria,
  type StoredChange,
  type StoredCriteria,
} from '../criteria/stored-criteria.ts';

/** A member's My Match criteria. */
export interface MatchCriteria {
  readonly criteria: StoredCriteria;
  /** Only for v1; v2 takes the gender from the profile. */
  readonly lookingfor?: Gender;
}

/** A change of My Match criteria. */
export interface MatchChange extends Pick<StoredChange, 'set' | 'removed'> {
  /** Changed parts of the location; the other part stays. */
  readonly moved?: StoredCriteria[string];
  readonly lookingfor?: Gender | undefined;
}

/** My Match criteria, one document per member. */
export type MatchCriteriaStore = ReturnType<typeof createMatchCriteriaStore>;

interface MatchCriteriaDocument {
  _id: number;
  criteria?: Record<string, unknown>;
  lookingfor?: Gender;
}

const schema = new Schema<MatchCriteriaDocument>(
  {
    _id: { type: Number, required: true },
    criteria: { type: Schema.Types.Mixed },
    lookingfor: { type: String },
  },
  { collection: 'match_criteria', versionKey: false, minimize: false },
);

const read = (found: MatchCriteriaDocument | null): MatchCriteria => ({
  criteria: storedCriteria.parse(found?.criteria ?? {}),
  ...(found?.lookingfor && { lookingfor: found.lookingfor }),
});

const nested = (entries: readonly (readonly [string, unknown])[]) =>
  Object.fromEntries(entries.map(([name, value]) => [`criteria.${name}`, value]));

const isEmpty = (update: object) => Object.keys(update).length === 0;

/** Creates the store. */
export function createMatchCriteriaStore(connection: Connection) {
  const model = connection.model('MatchCriteria', schema);
  return {
    /** The criteria of a member; empty if none were ever stored. */
    read: async (member: number): Promise<MatchCriteria> =>
      read(await model.findById(member).lean<MatchCriteriaDocument>()),
    /** The criteria of each of some members, as far as they can be read; none of those who never stored any. */
    async readMany(members: readonly number[]): Promise<Map<number, StoredCriteria>> {
      const found = await model.find({ _id: { $in: members } }).lean<MatchCriteriaDocument[]>();
      return new Map(found.map(({ _id, criteria = {} }) => [_id, readableCriteria(criteria)]));
    },
    /** The names of criteria that anybody stored. */
    async names(): Promise<Set<string>> {
      const names = new Set<string>();
      for await (const { criteria } of model
        .find({}, { criteria: 1 })
        .lean<MatchCriteriaDocument[]>()
        .cursor()) {
        for (const name of Object.keys(criteria ?? {})) names.add(name);
      }
      return names;
    },
    /** Applies a change in one atomic write; returns all criteria. */
    async merge(member: number, change: MatchChange): Promise<MatchCriteria> {
      const { set, moved = {}, removed, lookingfor } = change;
      const parts = Object.entries(moved).map(([part, value]) => [`location.${part}`, value] as const);
      const $set = { ...nested([...Object.entries(set), ...parts]), ...(lookingfor && { lookingfor }) };
      const $unset = nested(removed.map((name) => [name, 1]));
      const update = { ...(!isEmpty($set) && { $set }), ...(!isEmpty($unset) && { $unset }) };
      if (isEmpty(update)) return this.read(member);
      const options = { upsert: true, returnDocument: 'after' } as const;
      return read(
        await model.findOneAndUpdate({ _id: member }, update, options).lean<MatchCriteriaDocument>(),
      );
    },
    /** Deletes everything about deleted members. */
    async forget(members: readonly number[]): Promise<void> {
      await model.deleteMany({ _id: { $in: members } });
    },
  };
}
