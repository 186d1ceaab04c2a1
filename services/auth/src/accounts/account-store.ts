import { unlessDuplicate } from '@covalence/runtime/duplicate-key';
import { Schema, type Connection } from 'mongoose';
import type { Account, AddressEffects, Claim, DueMail, Letter, PasswordEffects } from './account.ts';
import { firstExpiry, type Addresses } from './emails/addresses.ts';
import { dueBefore } from './due-before.ts';
import { claimId, staffSite } from './names/claim-id.ts';
import { setOrUnset } from './set-or-unset.ts';

/** Accounts and the claims that keep their names unique. */
export interface AccountStore {
  find(memberId: string): Promise<Account | undefined>;
  findMany(memberIds: readonly string[]): Promise<Account[]>;
  /** The staff accounts by name, at most 1,000. */
  findStaff(): Promise<Account[]>;
  setDisabled(memberId: string, disabled: boolean): Promise<void>;
  /** Sets the password of a staff account. */
  setStaffPassword(memberId: string, after: string): Promise<void>;
  /** Adds an account; when one with this id is there already, returns that one instead. */
  add(account: Account): Promise<Account | undefined>;
  /** Adds many in one go; those whose id is there already are left as they are. Resolves with whether all went in. */
  addMany(accounts: readonly Account[]): Promise<boolean>;
  /** Makes a pending account one that may sign in; a confirmation mail is due to it then, unless its address is known. */
  activate(memberId: string, at: Date, locale?: string): Promise<void>;
  /** Makes pending accounts ones that may sign in; their addresses are known, so that no mail is due. */
  activateMany(memberIds: readonly string[]): Promise<void>;
  /** Marks a pending account as given up, unless it was reserved again since `created_at`; answers whether it is. */
  giveUp(memberId: string, created_at: Date, at: Date): Promise<boolean>;
  /** Reserves pending accounts again that were not given up. */
  renewMany(memberIds: readonly string[], at: Date): Promise<void>;
  /** Deletes an account that is still pending. */
  removePending(memberId: string): Promise<void>;
  /** Pending accounts from before `date`, at most 500. */
  pendingSince(date: Date): Promise<Account[]>;
  /** Keeps the username that waits for approval; undefined drops it. */
  setPendingUsername(memberId: string, username: string | undefined): Promise<void>;
  /** Makes `username` the login name; a username that waits is dropped, unless it is another one than when the account was read. */
  setUsername(read: Account, username: string): Promise<void>;
  /** Replaces the addresses of an account; false when they are others by now than when it was read. */
  changeAddresses(read: Account, after: Addresses, at: Date, effects?: AddressEffects): Promise<boolean>;
  /** Accounts of which an address has expired before `date`, at most 500. */
  withExpiredAddresses(date: Date): Promise<Account[]>;
  /** The member has shown that this address, if they still have it, is theirs. */
  confirmEmail(memberId: string, email: string, at: Date): Promise<void>;
  /**
   * The ids of accounts with mails of a kind that are due since before `date`: all of them, those that wait longest first, 100
   * at a time. Whoever is still due when the next 100 are asked for does not come again.
   */
  dueBefore(kind: DueMail, date: Date): AsyncIterable<string[]>;
  /** The mail that was due at `due` is sent. */
  mailSent(memberId: string, due: Date): Promise<void>;
  /**
   * Sets a password, if password and e-mail address are still those of the account as it was read, and keeps the letters
   * that tell of it; `confirms` where a mail to the address in force led to it.
   */
  setPassword(read: Account, after: string, at: Date, tell: PasswordEffects): Promise<boolean>;
  /** Keeps letters until they are sent. */
  keepLetters(memberId: string, letters: readonly Letter[], at: Date): Promise<void>;
  /** A letter was sent or given up. */
  letterDone(memberId: string, letterId: string): Promise<void>;
  /** Makes credentials that were given before `at` count no more. */
  setSignedOut(memberId: string, at: Date): Promise<void>;
  /** Replaces a hash, if it is still the one that was read. */
  replaceHash(memberId: string, before: string, after: string): Promise<void>;
  /** Claims a name; returns the claim that is in the way, or undefined when it is now this member's. */
  claim(claim: Claim): Promise<Claim | undefined>;
  /** Claims many names; those that somebody has already are left as they are. Resolves with whether nobody had any. */
  claimMany(claims: readonly Claim[]): Promise<boolean>;
  /** Gives a name up, if it is this member's. */
  release(ids: readonly string[], memberId: string): Promise<void>;
  findClaims(ids: readonly string[]): Promise<Claim[]>;
  /** The claims on plain Latin usernames with one of these skeletons. */
  findLookAlikes(skeletons: readonly string[]): Promise<Claim[]>;
  /** Deletes an account with every name that it holds. */
  erase(memberId: string): Promise<void>;
}

/** An account with what it is found by. */
interface StoredAccount extends Account {
  /** When the first of its addresses beside the one in force expires. */
  readonly addresses_expire_at?: Date;
}

const accountSchema = new Schema<StoredAccount>(
  {
    _id: { type: String, required: true },
    id: { type: Number, required: true },
    siteid: { type: Number, required: true },
    username: { type: String, required: true },
    pending_username: String,
    email: String,
    password_hash: String,
    status: { type: String, enum: ['pending', 'active'], required: true },
    staff: { type: Boolean, default: false },
    disabled: Boolean,
    created_at: { type: Date, required: true },
    given_up_at: Date,
    signed_out_at: Date,
    locale: String,
    mail_due_at: Date,
    email_confirmed_at: Date,
    pending_email: { type: { email: String, until: Date, family: String }, _id: false },
    protected_emails: {
      type: [{ id: String, email: String, until: Date, reverted_at: Date, _id: false }],
      default: undefined,
    },
    email_revision: Number,
    addresses_expire_at: Date,
    letters: { type: [{ id: String, until: Date, sealed: String, _id: false }], default: undefined },
    letters_at: Date,
  },
  { collection: 'accounts', versionKey: false, id: false },
);
accountSchema.index({ status: 1 });
accountSchema.index({ mail_due_at: 1 }, { sparse: true });
accountSchema.index({ letters_at: 1 }, { sparse: true });
accountSchema.index({ addresses_expire_at: 1 }, { sparse: true });

const claimSchema = new Schema<Claim>(
  {
    _id: { type: String, required: true },
    member_id: { type: String, required: true },
    at: { type: Date, required: true },
    skeleton: String,
  },
  { collection: 'claims', versionKey: false },
);
claimSchema.index({ member_id: 1 });
claimSchema.index({ skeleton: 1 }, { sparse: true });

/** Declares the collections on the service's connection. */
export function createAccountStore(connection: Connection): AccountStore {
  const accounts = connection.model('Account', accountSchema);
  const claims = connection.model('Claim', claimSchema);
  // What every sign-in asks, without the models in between, which cost it more than the driver does.
  const accountDocuments = connection.collection<StoredAccount>(accountSchema.get('collection') ?? '');
  const claimDocuments = connection.collection<Claim>(claimSchema.get('collection') ?? '');
  const find = async (memberId: string) => (await accountDocuments.findOne({ _id: memberId })) ?? undefined;
  const set = async (memberId: string, change: Record<string, unknown>) => {
    await accounts.updateOne({ _id: memberId }, change);
  };
  const findClaims = (ids: readonly string[]) => claimDocuments.find({ _id: { $in: [...ids] } }).toArray();

  return {
    find,
    findClaims,
    findLookAlikes: (skeletons) => claimDocuments.find({ skeleton: { $in: [...skeletons] } }).toArray(),
    findMany: (memberIds) => accountDocuments.find({ _id: { $in: [...memberIds] } }).toArray(),
    async findStaff() {
      const prefix = claimId(staffSite, 'username', '');
      const ids = { $gte: prefix, $lt: `${prefix}\u{10FFFF}` };
      const names = await claims.find({ _id: ids }).sort({ _id: 1 }).limit(1_000).lean<Claim[]>();
      const owners = names.map((name) => name.member_id);
      const found = await accounts.find({ _id: { $in: owners } }).lean<Account[]>();
      return owners.flatMap((owner) => found.find((account) => account._id === owner) ?? []);
    },
    setDisabled: (memberId, disabled) => set(memberId, { $set: { disabled } }),
    setStaffPassword: (memberId, after) => set(memberId, { $set: { password_hash: after } }),
    async add(account) {
      return (await unlessDuplicate(accounts.create(account))) ? undefined : find(account._id);
    },
    addMany: (list) => unlessDuplicate(accounts.insertMany(list, { ordered: false, lean: true })),
    async activate(memberId, at, locale) {
      const change = { status: 'active', ...(locale && { locale }) } as const;
      const unknown = { _id: memberId, status: 'pending', email_confirmed_at: { $exists: false } } as const;
      await accounts.updateOne(unknown, { $set: { ...change, mail_due_at: at } });
      await accounts.updateOne({ _id: memberId, status: 'pending' }, { $set: change });
    },
    async activateMany(memberIds) {
      const filter = { _id: { $in: [...memberIds] }, status: 'pending' } as const;
      await accounts.updateMany(filter, { $set: { status: 'active' } });
    },
    async giveUp(memberId, created_at, at) {
      const unchanged = { _id: memberId, status: 'pending', created_at } as const;
      const { matchedCount } = await accounts.updateOne(unchanged, { $set: { given_up_at: at } });
      return matchedCount === 1;
    },
    async renewMany(memberIds, at) {
      const open = {
        _id: { $in: [...memberIds] },
        status: 'pending',
        given_up_at: { $exists: false },
      } as const;
      await accounts.updateMany(open, { $set: { created_at: at } });
    },
    async removePending(memberId) {
      await accounts.deleteOne({ _id: memberId, status: 'pending' });
    },
    pendingSince: (date) =>
      accounts
        .find({ status: 'pending', created_at: { $lt: date } })
        .limit(500)
        .lean<Account[]>(),
    setPendingUsername: (memberId, username) =>
      set(
        memberId,
        username ? { $set: { pending_username: username } } : { $unset: { pending_username: 1 } },
      ),
    async setUsername({ _id, pending_username: waiting }, username) {
      const unchanged = { _id, pending_username: waiting ?? { $exists: false } };
      const change = { $set: { username }, $unset: { pending_username: 1 } };
      const { matchedCount } = await accounts.updateOne(unchanged, change);
      if (!matchedCount) await set(_id, { $set: { username } });
    },
    async changeAddresses(read, after, at, { letters = [], isConfirmationDue, withoutPassword } = {}) {
      const { email, email_confirmed_at, pending_email, protected_emails = [] } = after;
      const { _id, email_revision: revision } = read;
      const values = {
        email,
        email_confirmed_at,
        pending_email,
        protected_emails: protected_emails.length ? protected_emails : undefined,
        addresses_expire_at: firstExpiry(after),
        email_revision: (revision ?? 0) + 1,
        ...(isConfirmationDue && { mail_due_at: at }),
        ...(letters.length && { letters_at: at }),
        ...(withoutPassword && { password_hash: undefined }),
      };
      const { matchedCount } = await accountDocuments.updateOne(
        // A version before this one changes the address alone.
        { _id, email: read.email, email_revision: revision ?? { $exists: false } },
        { ...setOrUnset(values), ...(letters.length && { $push: { letters: { $each: [...letters] } } }) },
      );
      return matchedCount === 1;
    },
    withExpiredAddresses: (date) =>
      accountDocuments
        .find({ addresses_expire_at: { $lt: date } })
        .limit(500)
        .toArray(),
    async confirmEmail(memberId, email, at) {
      await accounts.updateOne({ _id: memberId, email }, { $set: { email_confirmed_at: at } });
    },
    dueBefore: (kind, date) => dueBefore(accountDocuments, kind, date),
    async mailSent(memberId, due) {
      await accounts.updateOne({ _id: memberId, mail_due_at: due }, { $unset: { mail_due_at: 1 } });
    },
    async setPassword({ _id, email, password_hash: before }, after, at, { letters, confirms }) {
      const { modifiedCount } = await accounts.updateOne(
        { _id, email, password_hash: before ?? { $exists: false } },
        {
          $set: { password_hash: after, letters_at: at, ...(confirms && { email_confirmed_at: at }) },
          $push: { letters: { $each: letters } },
        },
      );
      return modifiedCount === 1;
    },
    keepLetters: (memberId, letters, at) =>
      set(memberId, { $set: { letters_at: at }, $push: { letters: { $each: letters } } }),
    async letterDone(memberId, letterId) {
      await set(memberId, { $pull: { letters: { id: letterId } } });
      // Only where none is left: one written meanwhile keeps its mark.
      await accounts.updateOne(
        { _id: memberId, letters: { $size: 0 } },
        { $unset: { letters: 1, letters_at: 1 } },
      );
    },
    setSignedOut: (memberId, at) => set(memberId, { $max: { signed_out_at: at } }),
    async replaceHash(memberId, before, after) {
      await accounts.updateOne({ _id: memberId, password_hash: before }, { $set: { password_hash: after } });
    },
    async claim(claim) {
      const { _id, member_id } = claim;
      if (await unlessDuplicate(claims.create(claim))) return undefined;
      const [held] = await findClaims([_id]);
      // Given up since: the caller tries again.
      if (!held) return { _id, member_id: '', at: new Date(0) };
      return held.member_id === member_id ? undefined : held;
    },
    claimMany: (list) => unlessDuplicate(claims.insertMany(list, { ordered: false, lean: true })),
    async release(ids, memberId) {
      await claims.deleteMany({ _id: { $in: ids }, member_id: memberId });
    },
    async erase(memberId) {
      // The account first: a name that outlived it would only be free later, an account without its names could sign in.
      await accounts.deleteOne({ _id: memberId });
      await claims.deleteMany({ member_id: memberId });
    },
  };
}
