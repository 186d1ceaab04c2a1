import type { Event } from '@covalence/contract/events';
import { membershipStatuses } from '@covalence/contract/record';
import { outboxFields, outboxIndex, pushEvents, type WithOutbox } from '@covalence/events/outbox';
import { unlessDuplicate } from '@covalence/runtime/duplicate-key';
import { Schema, type Connection, type Model } from 'mongoose';
import type { Membership } from './membership.ts';

/** The document: the membership under its member's id, with the events that wait for the broker. */
interface MembershipDocument extends Omit<Membership, 'member'>, WithOutbox {
  _id: number;
}

/** A membership to write, what it replaces, and the event that tells of it. */
export interface MembershipChange {
  /** Version that was read; undefined where the member had none. */
  readonly previous: number | undefined;
  readonly next: Membership;
  readonly event: Event;
}

/** A change that stands, with every event of its membership that waits for the broker: the last one is its own. */
export interface StandingChange extends MembershipChange {
  readonly waiting: readonly Event[];
}

/** Keeps memberships, one document per member. */
export interface MembershipStore {
  readonly model: Model<WithOutbox>;
  find(member: number): Promise<Membership | undefined>;
  findAll(members: readonly number[]): Promise<Membership[]>;
  /** Deletes the membership of a member who is erased; nobody is told. */
  erase(member: number): Promise<void>;
  /** Memberships that have to be renewed, tried again or ended, longest due first. */
  findDue(at: Date, limit: number): Promise<Membership[]>;
  /**
   * Writes changes with their events in one call, each only where the membership is still as it was read. Returns the
   * changes that stand; the others met a newer write and have to be thought over again.
   */
  write(changes: readonly MembershipChange[]): Promise<StandingChange[]>;
}

const membershipSchema = new Schema<MembershipDocument>(
  {
    _id: { type: Number, required: true },
    package_id: { type: Number, required: true },
    rate_id: { type: Number, required: true },
    started_at: { type: Date, required: true },
    expires_at: { type: Date, required: true },
    autorenew: { type: Boolean, required: true },
    status: { type: String, enum: membershipStatuses, required: true },
    source: {
      type: { provider: String, reference: String, currency: String },
      _id: false,
      default: undefined,
    },
    payments: { type: [String], default: undefined },
    tried_at: { type: Date },
    due_at: { type: Date },
    version: { type: Number, required: true },
    ...outboxFields,
  },
  { collection: 'memberships', versionKey: false },
);
membershipSchema.index({ due_at: 1 }, { sparse: true });
membershipSchema.index(...outboxIndex);

const facts = { outbox: 0, outboxAt: 0 } as const;

const asMembership = ({ _id, ...rest }: MembershipDocument): Membership => ({ member: _id, ...rest });

const upsertOf = ({ previous, next, event }: MembershipChange) => {
  const { member, ...fields } = next;
  // The relay goes by the machine's clock, whatever the clock of the operation.
  const { $push, $set } = pushEvents([event], new Date());
  const version = previous ?? { $exists: false };
  return {
    updateOne: {
      filter: { _id: member, version },
      // What is imported over a purchase has nothing to be renewed from.
      update: { $set: { ...fields, ...$set }, $push, ...(!fields.source && { $unset: { source: 1 } }) },
      upsert: previous === undefined,
    },
  };
};

/** Creates the store on the service's database. */
export function createMembershipStore(connection: Connection): MembershipStore {
  const model = connection.model('Membership', membershipSchema);
  const read = async (filter: object): Promise<Membership[]> =>
    (await model.find(filter, facts).lean<MembershipDocument[]>()).map(asMembership);

  return {
    model: model as Model<WithOutbox> & typeof model,
    async find(member) {
      return (await read({ _id: member }))[0];
    },
    findAll: (members) => read({ _id: { $in: members } }),
    async erase(member) {
      await model.deleteOne({ _id: member });
    },
    async findDue(at, limit) {
      const due = await model
        // One without an end would end the job, and everybody else's membership would go on.
        .find({ due_at: { $lte: at }, expires_at: { $type: 'date' } }, facts)
        .sort({ due_at: 1 })
        .limit(limit)
        .lean<MembershipDocument[]>();
      return due.map(asMembership);
    },
    async write(changes) {
      if (!changes.length) return [];
      const writes = changes.map(upsertOf);
      // Where two create the same membership at once, the loser's change is found missing and tried again.
      await unlessDuplicate(model.bulkWrite(writes, { ordered: false }));
      // A bulk answer counts what matched without naming it, so what stands is read back.
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
