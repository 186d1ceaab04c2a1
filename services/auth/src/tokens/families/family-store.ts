import { Schema, type Connection } from 'mongoose';
import { inGroups } from './in-groups.ts';

/** Who a family's tokens are for, as they say it. */
export interface Subject {
  /** Numeric member id; 0 for staff. */
  readonly id: number;
  /** 0 for staff. */
  readonly siteid: number;
  readonly staff: boolean;
}

/** The refresh token of a family that is good now, and the one before it. */
export interface FamilyTokens {
  /** Id inside the envelope of the good one. */
  readonly current: string;
  /** What the provider keeps of it, as JSON. */
  readonly token: string;
  /** SHA-256 of the good one as it was given out; none of the first, whose signature is checked. */
  readonly text_hash?: string;
  /** Until when the member was known to be in good standing. */
  readonly checked_at: Date;
  readonly previous?: string;
  /** When `previous` was exchanged for `current`. */
  readonly rotated_at?: Date;
  /** The answer that this exchange got, sealed, for those who ask again. */
  readonly answer?: string;
  /** Until when that answer is given again: the grace that the client had then. */
  readonly answered_until?: Date;
}

/**
 * One sign-in of one app, and everything it gave: the provider's grant and its refresh tokens. All of it is one document,
 * so that every change of it is one atomic write.
 */
export interface Family extends Partial<FamilyTokens> {
  /** The provider's id of the grant; access tokens carry it as `family`. */
  readonly _id: string;
  readonly account_id: string;
  /** What the provider keeps of the grant, as JSON. */
  readonly grant: string;
  /** When the credentials were given, however much later a code came of the browser's session. */
  readonly begun_at: Date;
  /** Not before the code was exchanged. */
  readonly subject?: Subject;
  readonly expires_at: Date;
  /** When it was ended before its time. */
  readonly ended_at?: Date | null;
}

/** The next step of a family: `used` is exchanged for `current`. */
export interface Rotation extends FamilyTokens {
  readonly family: string;
  readonly text_hash: string;
  readonly previous: string;
  /** Moves the family's end along. */
  readonly expires_at?: Date;
}

/** A family that was ended, and whose it was. */
export type EndedFamily = Pick<Family, '_id' | 'subject'>;

/** The families of every account. */
export interface FamilyStore {
  /** Without the answer that its last exchange got, which is most of a family and asked for again by few. */
  find(id: string): Promise<Family | undefined>;
  /** All of it. */
  findWhole(id: string): Promise<Family | undefined>;
  begin(family: Family): Promise<void>;
  /** Gives a family its first refresh token; false when it was ended. */
  issue(id: string, tokens: FamilyTokens & Pick<Family, 'subject'>): Promise<boolean>;
  /** Exchanges one refresh token for the next; false when another request did, or the family was ended. */
  rotate(rotation: Rotation): Promise<boolean>;
  /** Ends a family; it is remembered for as long as its access tokens could live. */
  end(id: string, at: Date): Promise<EndedFamily | undefined>;
  /** Ends every family of an account but `spared`, and returns those. */
  endAllOf(accountId: string, spared: string | undefined, at: Date): Promise<EndedFamily[]>;
  /** The families of an account that are good at `date`. */
  of(accountId: string, date: Date): Promise<Family[]>;
  /** Deletes every family of an account that is erased. */
  erase(accountId: string): Promise<void>;
  /** The families ended since. */
  endedSince(date: Date): Promise<EndedFamily[]>;
  /** Deletes what has expired before `now`, and what was ended before `endedBefore`. */
  purge(now: Date, endedBefore: Date): Promise<void>;
}

const schema = new Schema<Family>(
  {
    _id: { type: String, required: true },
    account_id: { type: String, required: true },
    grant: { type: String, required: true },
    begun_at: { type: Date, required: true },
    subject: { type: { id: Number, siteid: Number, staff: Boolean }, _id: false },
    current: String,
    token: String,
    text_hash: String,
    checked_at: Date,
    previous: String,
    rotated_at: Date,
    answer: String,
    answered_until: Date,
    expires_at: { type: Date, required: true },
    ended_at: Date,
  },
  { collection: 'families', versionKey: false, id: false },
);
schema.index({ account_id: 1 });
schema.index({ expires_at: 1 });
schema.index({ ended_at: 1 }, { sparse: true });

const named = { subject: 1 } as const;
const alive = { ended_at: null } as const;

/** Declares the collection on the service's connection. */
export function createFamilyStore(connection: Connection): FamilyStore {
  const model = connection.model('Family', schema);
  // Without the model in between, which costs a refresh more than the driver does.
  const documents = connection.collection<Family>(schema.get('collection') ?? '');

  const findGroup = async (ids: readonly string[]): Promise<(Family | undefined)[]> => {
    const named = { _id: { $in: [...new Set(ids)] } };
    const found = await documents.find<Family>(named, { projection: { answer: 0 } }).toArray();
    const byId = new Map(found.map((family) => [family._id, family]));
    return ids.map((id) => byId.get(id));
  };

  /** All in one write. Where not every one found its family as it was, looks which did: new tokens have ids of their own. */
  const rotateGroup = async (rotations: readonly Rotation[]): Promise<boolean[]> => {
    const updates = rotations.map(({ family, ...tokens }) => ({
      updateOne: {
        filter: { _id: family, current: tokens.previous, ...alive },
        update: { $set: tokens },
      },
    }));
    const { matchedCount } = await documents.bulkWrite(updates, { ordered: false });
    if (matchedCount === rotations.length) return rotations.map(() => true);
    const now = await findGroup(rotations.map(({ family }) => family));
    return rotations.map(({ current }, index) => now[index]?.current === current);
  };

  return {
    find: inGroups(findGroup),
    findWhole: async (id) => (await documents.findOne({ _id: id })) ?? undefined,
    rotate: inGroups(rotateGroup),
    async begin({ _id, ...rest }) {
      await documents.updateOne({ _id }, { $set: rest }, { upsert: true });
    },
    async issue(id, tokens) {
      return (await documents.updateOne({ _id: id, ...alive }, { $set: tokens })).matchedCount === 1;
    },
    async end(id, at) {
      await model.updateOne({ _id: id, ...alive }, { $set: { ended_at: at } });
      return (await model.findById(id, named).lean<EndedFamily>()) ?? undefined;
    },
    async endAllOf(accountId, spared, at) {
      const filter = { account_id: accountId, ...(spared !== undefined && { _id: { $ne: spared } }) };
      await model.updateMany({ ...filter, ...alive }, { $set: { ended_at: at } });
      return model.find({ ...filter, ended_at: at }, named).lean<EndedFamily[]>();
    },
    of: (accountId, date) =>
      model.find({ account_id: accountId, expires_at: { $gte: date }, ...alive }).lean<Family[]>(),
    async erase(accountId) {
      await model.deleteMany({ account_id: accountId });
    },
    endedSince: (date) => model.find({ ended_at: { $gte: date } }, named).lean<EndedFamily[]>(),
    async purge(now, endedBefore) {
      await model.deleteMany({ expires_at: { $lt: now } });
      await model.deleteMany({ ended_at: { $lt: endedBefore } });
    },
  };
}
