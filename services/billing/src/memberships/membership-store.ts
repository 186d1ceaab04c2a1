import type { Event } from '@covalence/contract/events';
import { membershipStatuses } from '@covalence/contract/record';
import { outboxFields, outboxIndex, pushEvents, type WithOutbox } from '@covalence/events/outbox';
import { unlessDuplicate } from '@covalence/runtime/duplicate-key';
import { required, subdocument } from '@covalence/runtime/schema';
import { Schema, type Connection, type Model } from 'mongoose';
import type { Membership } from './membership.ts';

/** A stored membership, by member id, with its outbox. */
interface MembershipDocument extends Omit<Membership, 'member'>, WithOutbox {
  _id: number;
}

/** A compare-and-set of a membership, with its event. */
export interface MembershipChange {
  /** The version that was read; undefined for a new membership. */
  readonly previous: number | undefined;
  readonly next: Membership;
  readonly event: Event;
}

/** A successful change, with all waiting events of its membership; the last one is its own. */
export interface WrittenChange extends MembershipChange {
  readonly waiting: readonly Event[];
}

const facts = required({
  package_id: Number,
  rate_id: Number,
  started_at: Date,
  expires_at: Date,
  autorenew: Boolean,
});
const source = {
  type: { provider: String, reference: String, currency: String, country: String },
  _id: false,
  default: undefined,
};

const membershipSchema = new Schema<MembershipDocument>(
  {
    ...required({ _id: Number, version: Number }),
    ...facts,
    status: { type: String, enum: membershipStatuses, required: true },
    source,
    own: { type: subdocument({ ...facts, source }), default: undefined },
    payments: { type: [String], default: undefined },
    tried_at: { type: Date },
    due_at: { type: Date },
    ...outboxFields,
  },
  { collection: 'memberships', versionKey: false },
);
membershipSchema.index({ due_at: 1 }, { sparse: true });
membershipSchema.index(...outboxIndex);

const withoutOutbox = { outbox: 0, outboxAt: 0 } as const;

const asMembership = ({ _id, ...rest }: MembershipDocument): Membership => ({ member: _id, ...rest });

const upsertOf = ({ previous, next, event }: MembershipChange) => {
  const { member, ...fields } = next;
  // The relay uses the machine's clock, which tests do not move.
  const { $push, $set } = pushEvents([event], new Date());
  const version = previous ?? { $exists: false };
  // An import over a purchase cannot be renewed; what was bought here is the membership again when a subscription ends.
  const $unset = {
    ...(!fields.source && { source: 1 as const }),
    ...(fields.own === undefined && { own: 1 as const }),
  };
  return {
    updateOne: {
      filter: { _id: member, version },
      update: { $set: { ...fields, ...$set }, $push, $unset },
      upsert: previous === undefined,
    },
  };
};

/** Creates the store on the service's database. */
export function createMembershipStore(connection: Connection) {
  const model = connection.model('Membership', membershipSchema);
  const read = async (filter: object): Promise<Membership[]> =>
    (await model.find(filter, withoutOutbox).lean<MembershipDocument[]>()).map(asMembership);

  return {
    model: model as Model<WithOutbox> & typeof model,
    async find(member: number): Promise<Membership | undefined> {
      return (await read({ _id: member }))[0];
    },
    findAll: (members: readonly number[]): Promise<Membership[]> => read({ _id: { $in: members } }),
    /** Deletes the membership of an erased member without an event. */
    async erase(member: number) {
      await model.deleteOne({ _id: member });
    },
    /** Memberships to renew, retry or end, longest due first. */
    async findDue(at: Date, limit: number): Promise<Membership[]> {
      const due = await model
        // A document without an end would crash the job and stop all renewals.
        .find({ due_at: { $lte: at }, expires_at: { $type: 'date' } }, withoutOutbox)
        .sort({ due_at: 1 })
        .limit(limit)
        .lean<MembershipDocument[]>();
      return due.map(asMembership);
    },
    /** Writes changes with their events, each as a compare-and-set, and returns the successful ones. */
    async write(changes: readonly MembershipChange[]): Promise<WrittenChange[]> {
      if (!changes.length) return [];
      const writes = changes.map(upsertOf);
      // Two concurrent inserts: the loser is missing below and retried.
      await unlessDuplicate(model.bulkWrite(writes, { ordered: false }));
      // A bulk result has counts only, so read back which changes succeeded.
      const members = changes.map(({ next }) => next.member);
      const documents = await model.find({ _id: { $in: members } }, { outbox: 1 }).lean<WithOutbox[]>();
      const outboxes = documents.map(({ outbox = [] }) => outbox);
      const waitingBy = new Map(
        outboxes.flatMap((waiting) => waiting.map(({ id }) => [id, waiting] as const)),
      );
      return changes.flatMap((change) => {
        const waiting = waitingBy.get(change.event.id);
        return waiting ? [{ ...change, waiting }] : [];
      });
    },
  };
}

/** Keeps memberships, one document per member. */
export type MembershipStore = ReturnType<typeof createMembershipStore>;
