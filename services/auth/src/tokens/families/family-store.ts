import { required } from '@covalence/runtime/schema';
import { Schema, type Connection, type QueryFilter } from 'mongoose';
import { z } from 'zod';

/** The member or staff account that tokens are issued to, as their claims say. */
export interface Subject {
  /** Numeric member id; 0 for staff. */
  readonly id: number;
  /** 0 for staff. */
  readonly siteid: number;
  readonly staff: boolean;
}

/** The current refresh token of a family and the one before it. */
export interface FamilyTokens {
  /** Id in the envelope of the current token. */
  readonly current: string;
  /** The provider's payload of it, as JSON. */
  readonly token: string;
  /** Hash that identifies the last issued refresh token. The first token has none: its signature is checked. */
  readonly token_hash?: string;
  /** When the current token ends. */
  readonly token_expires_at: Date;
  /** When the member was last known to be active. */
  readonly checked_at: Date;
  readonly previous?: string;
  /** When `previous` was exchanged for `current`. */
  readonly rotated_at?: Date;
  /** The encrypted response of that exchange, for retries. */
  readonly answer?: string;
  /** Until when retries get that response: the client's grace at that time. */
  readonly answered_until?: Date;
}

/** The device of an app, as the app reports it. */
export interface AppDevice {
  /** Kind of app: app_ios, web. */
  readonly platform?: string | undefined;
  /** Name of the device. */
  readonly device_name?: string | undefined;
}

/** One sign-in of one app: grant and refresh tokens in one document, so that every change is atomic. */
export interface Family extends Partial<FamilyTokens>, AppDevice {
  /** The provider's id of the grant; access tokens carry it as `family`. */
  readonly _id: string;
  readonly account_id: string;
  /** The provider's payload of the grant, as JSON. */
  readonly grant: string;
  /** When the member entered the credentials; a code from the browser's session may be much newer. */
  readonly begun_at: Date;
  /** The browser that it was made with, by its own name. */
  readonly browser_name?: string | undefined;
  /** `uid` of the browser session that it came from; none for a registration. */
  readonly browser?: string | undefined;
  /** Set when the code is exchanged. */
  readonly subject?: Subject;
  /** When the document may be deleted: after the current token has ended. */
  readonly expires_at: Date;
  /** Until when its code can be exchanged; unset by the exchange. */
  readonly unused_until?: Date;
  /** When it was revoked. */
  readonly revoked_at?: Date | null;
  /** Set with `revoked_at` until the push messages of the sign-in have ended for sure. */
  readonly push_due?: boolean;
  /** Whether the session of the browser ended with it. */
  readonly browser_ended?: boolean;
}

/** The exchange of the token `previous` for `current`. */
export interface Rotation extends FamilyTokens {
  readonly family: string;
  readonly token_hash: string;
  readonly previous: string;
  /** Extends the family. */
  readonly expires_at?: Date;
}

/** A family without the payloads of its tokens. */
export type ShownFamily = Omit<Family, keyof typeof shown>;

/** A revoked family and its subject. */
export type RevokedFamily = Pick<Family, '_id' | 'subject'>;

/** A revoked family, and its browser session. */
type EndedFamily = RevokedFamily & Pick<Family, 'browser' | 'browser_ended'>;

const grantPayload = z.object({ clientId: z.string() });

const schema = new Schema<Family>(
  {
    ...required({ _id: String, account_id: String, grant: String, begun_at: Date, expires_at: Date }),
    platform: String,
    device_name: String,
    browser: String,
    browser_name: String,
    subject: { type: { id: Number, siteid: Number, staff: Boolean }, _id: false },
    current: String,
    token: String,
    token_hash: String,
    token_expires_at: Date,
    checked_at: Date,
    previous: String,
    rotated_at: Date,
    answer: String,
    answered_until: Date,
    unused_until: Date,
    revoked_at: Date,
    push_due: Boolean,
    browser_ended: Boolean,
  },
  { collection: 'families', versionKey: false, id: false },
);
schema.index({ account_id: 1 });
schema.index({ expires_at: 1 });
schema.index({ unused_until: 1 }, { sparse: true });
schema.index({ revoked_at: 1 }, { sparse: true });
schema.index({ push_due: 1 }, { sparse: true });

/** Id of the client application of a family. */
export const clientOf = ({ grant }: Pick<Family, 'grant'>): string =>
  grantPayload.parse(JSON.parse(grant)).clientId;

const shown = { token: 0, token_hash: 0, answer: 0 } as const;
const named = { subject: 1 } as const;
const alive = { revoked_at: null } as const;
/** Only apps of members take push messages, and only once they have tokens. */
const withMember = { 'subject.id': { $gt: 0 } } as const;

/** Declares the collection on the service's connection. */
export function createFamilyStore(connection: Connection) {
  const model = connection.model('Family', schema);
  // Refreshes read and write through the driver: models cost more than the query.
  const documents = connection.collection<Family>(schema.get('collection') ?? '');
  /** The driver repeats a write of one document when a server fails, and none of several. */
  const setRevoked = async (write: 'updateOne' | 'updateMany', filter: QueryFilter<Family>, at: Date) => {
    const due = { ...filter, ...alive, ...withMember };
    await model[write](due, { $set: { revoked_at: at, push_due: true } });
    await model[write]({ ...filter, ...alive }, { $set: { revoked_at: at } });
  };

  return {
    /** Without `answer`, which is large and which only retries need. */
    find: async (id: string): Promise<Family | undefined> =>
      (await documents.findOne({ _id: id }, { projection: { answer: 0 } })) ?? undefined,
    /** With `answer`. */
    findWhole: async (id: string): Promise<Family | undefined> =>
      (await documents.findOne({ _id: id })) ?? undefined,
    /** Exchanges one refresh token for the next; false when another request was first, or the family was revoked. */
    async rotate({ family, ...tokens }: Rotation): Promise<boolean> {
      const unchanged = { _id: family, current: tokens.previous, ...alive };
      return (await documents.updateOne(unchanged, { $set: tokens })).matchedCount === 1;
    },
    async begin({ _id, ...rest }: Family) {
      await documents.updateOne({ _id }, { $set: rest }, { upsert: true });
    },
    /** Records the device of a sign-in that began without a browser. */
    async setDevice(id: string, device: AppDevice) {
      if (Object.keys(device).length) await documents.updateOne({ _id: id }, { $set: { ...device } });
    },
    /** Stores the first refresh token of a family; false when the family was revoked. */
    async issue(id: string, tokens: FamilyTokens & Pick<Family, 'subject'>): Promise<boolean> {
      const change = { $set: tokens, $unset: { unused_until: 1 } } as const;
      return (await documents.updateOne({ _id: id, ...alive }, change)).matchedCount === 1;
    },
    /** Records a use that exchanges no token; false when the family was revoked. */
    async use(id: string, checkedAt: Date): Promise<boolean> {
      const used = await documents.updateOne({ _id: id, ...alive }, { $set: { checked_at: checkedAt } });
      return used.matchedCount === 1;
    },
    /** Revokes a family. It stays stored for as long as its access tokens can live. */
    async revoke(id: string, at: Date): Promise<RevokedFamily | undefined> {
      await setRevoked('updateOne', { _id: id }, at);
      return (await model.findById(id, named).lean<RevokedFamily>()) ?? undefined;
    },
    /** Revokes every family of an account but `kept`, and returns the revoked ones. */
    async revokeAll(accountId: string, kept: string | undefined, at: Date): Promise<RevokedFamily[]> {
      const filter = { account_id: accountId, ...(kept !== undefined && { _id: { $ne: kept } }) };
      await setRevoked('updateMany', filter, at);
      return model.find({ ...filter, revoked_at: at }, named).lean<RevokedFamily[]>();
    },
    /** The valid families of an account whose code was exchanged, last used first; without secrets. */
    of: (accountId: string, date: Date, limit: number): Promise<ShownFamily[]> =>
      model
        .find({ account_id: accountId, expires_at: { $gte: date }, subject: { $ne: null }, ...alive }, shown)
        .sort({ checked_at: -1 })
        .limit(limit)
        .lean<ShownFamily[]>(),
    /** Deletes every family of an account. */
    async erase(accountId: string) {
      await model.deleteMany({ account_id: accountId });
    },
    /** Records that the session of its browser ends with a family. */
    async endBrowser(id: string) {
      await documents.updateOne({ _id: id }, { $set: { browser_ended: true } });
    },
    /** Families revoked since `date`. */
    revokedSince: (date: Date): Promise<EndedFamily[]> =>
      model
        .find({ revoked_at: { $gte: date } }, { ...named, browser: 1, browser_ended: 1 })
        .lean<EndedFamily[]>(),
    /** Families revoked before `date` whose push messages may not have ended; at most `limit`. */
    pushDue: (date: Date, limit: number): Promise<RevokedFamily[]> =>
      model
        .find({ push_due: true, revoked_at: { $lt: date } }, named)
        .limit(limit)
        .lean<RevokedFamily[]>(),
    async pushEnded(ids: readonly string[]) {
      await model.updateMany({ _id: { $in: [...ids] } }, { $unset: { push_due: 1 } });
    },
    /** Deletes families that expired before `now`, were revoked before `revokedBefore`, or whose code is worthless. */
    async purge(now: Date, revokedBefore: Date) {
      const settled = { push_due: null };
      await model.deleteMany({ unused_until: { $lt: now }, subject: null });
      await model.deleteMany({ expires_at: { $lt: now }, ...settled });
      await model.deleteMany({ revoked_at: { $lt: revokedBefore }, ...settled });
    },
  };
}

/** Token families. */
export type FamilyStore = ReturnType<typeof createFamilyStore>;
