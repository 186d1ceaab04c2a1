import { recordsOf, type Stored } from '@covalence/runtime/documents';
import { collectionSchema, required } from '@covalence/runtime/schema';
import { Schema, type Connection } from 'mongoose';
import type { WaitingKind } from '../../members/document/account-status.ts';
import type { Decision } from '../../members/document/member.ts';

/** A change in one place of a member's document. An absent value has no key, because it would be stored as null. */
export interface Change {
  readonly key: string;
  /** The field within `key`, or the id of a photo. */
  readonly name?: string | undefined;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** The key of a decision for its author. */
export interface Made {
  readonly member: number;
  readonly staff: string;
  readonly action: Decision['action'];
  readonly field?: string | undefined;
  readonly photo?: number | undefined;
  /** Revision of the entry that the caller saw. */
  readonly revision?: string | undefined;
}

/** A decision that can be undone, with what it changed. */
export interface Undoable extends Made {
  /** Id of the decision. */
  readonly id: string;
  readonly kind: WaitingKind;
  readonly changes: readonly Change[];
  /** Since when the entry had waited; absent where it did not wait. */
  readonly since?: Date | undefined;
  /** The member was notified of the decision. */
  readonly told?: boolean | undefined;
  readonly until: Date;
}

const schema = collectionSchema<Stored<Undoable>>(
  'undoable-decisions',
  {
    ...required({ _id: String, member: Number, staff: String, kind: String, until: Date }),
    field: String,
    photo: Number,
    // Values of the member's document, as the decision found and left them.
    changes: { type: [Schema.Types.Mixed], required: true },
    since: Date,
    told: Boolean,
    action: String,
    revision: String,
  },
  { minimize: false },
);
schema.index({ member: 1 });
schema.index({ until: 1 }, { expireAfterSeconds: 0 });

/** Creates the store on the `undoable-decisions` collection. */
export function createUndoStore(connection: Connection) {
  const records = recordsOf<Undoable>(connection.model('UndoableDecision', schema));
  return {
    add: (one: Undoable) => records.add(one),
    /** A decision whose time to be undone has not passed. */
    find: (id: string, now: Date): Promise<Undoable | undefined> =>
      records.one({ _id: id, until: { $gt: now } }),
    /** The id of a decision that was made and not undone. */
    async made(
      { member, staff, action, revision, field, photo }: Made,
      now: Date,
    ): Promise<string | undefined> {
      const what = { field: field ?? null, photo: photo ?? null };
      const same = { member, staff, action, revision, ...what, until: { $gt: now } };
      return (await records.one(same, { shown: { _id: 1 } }))?.id;
    },
    end: (id: string) => records.remove({ _id: id }),
    erase: (member: number) => records.removeAll({ member }),
  };
}
