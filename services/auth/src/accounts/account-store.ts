import type { RolesBySite } from '@covalence/contract/staff-roles';
import { isDuplicateKey } from '@covalence/runtime/duplicate-key';
import { required, setOrRemove } from '@covalence/runtime/schema';
import { Schema, type Connection, type QueryFilter } from 'mongoose';
import type { Account, QueuedMail, Recovery } from './account.ts';

/** Changes that a new password causes in the same write. */
export interface PasswordEffects {
  readonly mails: readonly QueuedMail[];
  readonly confirms: boolean;
  /** Removes every passkey and account at a provider, which may be a thief's; browsers that knew the account count as strange. */
  readonly endsOthers: boolean;
  /** The recovery that it is part of; nothing changes if that was canceled. */
  readonly recovery?: string | undefined;
  /** Removes app and recovery codes. */
  readonly endsSecondFactor?: boolean;
  /** A recovery that waits goes on. */
  readonly keepsRecovery?: boolean;
}

/** An account with the fields that only queries read. */
interface StoredAccount extends Account {
  /** When the first pending or protected address expires. */
  readonly addresses_expire_at?: Date;
}

/** A list that is absent when nothing was added. */
const list = <Item>(item: Item) => ({ type: [item], default: undefined });

const schema = new Schema<StoredAccount>(
  {
    ...required({ _id: String, id: Number, siteid: Number, username: String, created_at: Date }),
    pending_username: String,
    email: String,
    password_hash: String,
    passkey_user: String,
    passkeys: list({
      ...required({ id: String, public_key: String, counter: Number }),
      transports: [String],
      backup_eligible: Boolean,
      backed_up: Boolean,
      name: String,
      created_at: Date,
      last_used_at: Date,
      _id: false,
    }),
    identities: list({
      ...required({ id: String, provider: String, linked_at: Date, last_used_at: Date }),
      email: String,
      _id: false,
    }),
    recovery: { type: { id: String, from: Date, until: Date, by_support: Boolean }, _id: false },
    settled_passkey_removed_at: Date,
    status: { type: String, enum: ['pending', 'active'], required: true },
    staff: { type: Boolean, default: false },
    totp: { type: { secret: String, added_at: Date, last_step: Number }, _id: false },
    recovery_codes: list(String),
    // By site, checked when they were set.
    roles: Schema.Types.Mixed,
    initial_password_until: Date,
    disabled: Boolean,
    abandoned_at: Date,
    signed_out_at: Date,
    recovered_at: Date,
    locale: String,
    mail_due_at: Date,
    email_confirmed_at: Date,
    pending_email: { type: { email: String, until: Date, family: String, by_owner: Boolean }, _id: false },
    protected_emails: list({ id: String, email: String, until: Date, reverted_at: Date, _id: false }),
    email_revision: Number,
    addresses_expire_at: Date,
    queued_mails: list({ id: String, until: Date, sealed: String, _id: false }),
    mails_queued_at: Date,
    digest_due: Date,
  },
  { collection: 'accounts', versionKey: false, id: false },
);
schema.index({ status: 1 });
schema.index({ id: 1 });
schema.index({ mail_due_at: 1 }, { sparse: true });
schema.index({ mails_queued_at: 1 }, { sparse: true });
schema.index({ addresses_expire_at: 1 }, { sparse: true });
schema.index({ 'passkeys.id': 1 }, { unique: true, sparse: true });
schema.index({ 'identities.id': 1 }, { unique: true, sparse: true });

/** Selects a field with the value that was read, or without one. */
export const orNone = <Value>(value: Value | undefined) => value ?? { $exists: false };

/** Selects an account whose member was not signed out, and whose owner did not get it back, since it was read. */
export const sameSignOuts = ({ _id, signed_out_at, recovered_at }: Account): QueryFilter<Account> => ({
  _id,
  signed_out_at: orNone(signed_out_at),
  recovered_at: orNone(recovered_at),
});

/** A change of an account together with the mails about it, if there are any. */
export function withMails(
  change: {
    readonly $set?: object;
    readonly $unset?: object;
    readonly $push?: object;
    readonly $pull?: object;
  },
  { mails, at }: { readonly mails: readonly QueuedMail[]; readonly at: Date },
): object {
  if (!mails.length) return change;
  return {
    ...change,
    $set: { ...change.$set, mails_queued_at: at },
    $push: { ...change.$push, queued_mails: { $each: [...mails] } },
  };
}

/** The collection of accounts: a model, and the driver's collection for reads of every sign-in. */
export function accountCollection(connection: Connection) {
  const model = connection.model('Account', schema);
  return {
    model,
    documents: connection.collection<StoredAccount>('accounts'),
    /** Changes the account that the filter selects; false when there is none, or another one has a value that is unique. */
    isChanged: async (filter: QueryFilter<Account>, change: object): Promise<boolean> => {
      try {
        return (await model.updateOne(filter, change)).modifiedCount === 1;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
  };
}

/** Declares the collection on the service's connection. */
export function createAccountStore(connection: Connection) {
  const { model, documents, isChanged } = accountCollection(connection);
  const set = async (memberId: string, change: object) => {
    await model.updateOne({ _id: memberId }, change);
  };
  return {
    find: async (memberId: string): Promise<Account | undefined> =>
      (await documents.findOne({ _id: memberId })) ?? undefined,
    findByNumber: async (id: number): Promise<Account | undefined> =>
      (await documents.findOne({ id, staff: false })) ?? undefined,
    findMany: (memberIds: readonly string[]): Promise<Account[]> =>
      documents.find({ _id: { $in: [...memberIds] } }).toArray(),
    setDisabled: (memberId: string, disabled: boolean) => set(memberId, { $set: { disabled } }),
    setRoles: (memberId: string, roles: RolesBySite) => set(memberId, { $set: { roles } }),
    /** Sets the username that waits for approval; undefined removes it. */
    setPendingUsername: (memberId: string, username: string | undefined) =>
      set(memberId, setOrRemove({ pending_username: username })),
    /** Sets the login name. Removes the pending username, unless it has changed since the account was read. */
    async setUsername({ _id, pending_username: pending }: Account, username: string) {
      const unchanged = { _id, pending_username: orNone(pending) };
      const change = { $set: { username }, $unset: { pending_username: 1 } };
      const { matchedCount } = await model.updateOne(unchanged, change);
      if (!matchedCount) await set(_id, { $set: { username } });
    },
    /**
     * Begins a recovery, unless one has begun that has not expired; one by customer service replaces the member's own. The mails about
     * it come with it. False if not.
     */
    beginRecovery(memberId: string, recovery: Recovery, mails: readonly QueuedMail[], at: Date) {
      const isFree = recovery.by_support
        ? { 'recovery.by_support': { $ne: true } }
        : { recovery: { $exists: false } };
      return isChanged(
        { _id: memberId, $or: [isFree, { 'recovery.until': { $lte: at } }] },
        withMails({ $set: { recovery } }, { mails, at }),
      );
    },
    /** Cancels a recovery together with the mails about it; false when it is not the current one. */
    cancelRecovery: (memberId: string, id: string, mails: readonly QueuedMail[], at: Date) =>
      isChanged({ _id: memberId, 'recovery.id': id }, withMails({ $unset: { recovery: 1 } }, { mails, at })),
    /** Invalidates credentials that were entered before `at`. */
    setSignedOut: (memberId: string, at: Date) => set(memberId, { $max: { signed_out_at: at } }),
    /** Browsers that knew the account count as strange from then on. */
    setRecovered: (memberId: string, at: Date) => set(memberId, { $max: { recovered_at: at } }),
    /**
     * Sets a password together with the mails about it, if password, email address and a recovery that it ends have not changed since
     * the account was read. `confirms` also confirms the current address, because a mail to it led here. Resolves to the account as it
     * was before, or undefined.
     */
    async setPassword(
      { _id, email, password_hash }: Account,
      hash: string,
      at: Date,
      { mails, confirms, endsOthers, recovery, endsSecondFactor, keepsRecovery }: PasswordEffects,
    ): Promise<Account | undefined> {
      const values = {
        password_hash: hash,
        ...(confirms && { email_confirmed_at: at }),
        ...(!keepsRecovery && { recovery: undefined }),
        ...(endsOthers && { recovered_at: at, passkeys: undefined, identities: undefined }),
        ...(endsSecondFactor && { totp: undefined, recovery_codes: undefined }),
      };
      const before = await model
        .findOneAndUpdate(
          {
            _id,
            email,
            password_hash: orNone(password_hash),
            ...(recovery !== undefined && { 'recovery.id': recovery }),
          },
          withMails(setOrRemove(values), { mails, at }),
        )
        .lean<Account>();
      return before ?? undefined;
    },
    /** Sets the password of a staff account; one that was generated works until `initialUntil`. */
    setStaffPassword: (memberId: string, hash: string, initialUntil?: Date) =>
      set(memberId, setOrRemove({ password_hash: hash, initial_password_until: initialUntil })),
    /** Replaces a generated password of a staff account; false when it changed, or the account was signed out, since it was read. */
    replaceInitialPassword: (account: Account, hash: string): Promise<boolean> =>
      isChanged(
        {
          ...sameSignOuts(account),
          password_hash: orNone(account.password_hash),
          initial_password_until: { $exists: true },
        },
        { $set: { password_hash: hash }, $unset: { initial_password_until: 1 } },
      ),
    /** Replaces a hash, if it has not changed since it was read. */
    async replaceHash(memberId: string, before: string, after: string) {
      await model.updateOne({ _id: memberId, password_hash: before }, { $set: { password_hash: after } });
    },
    async erase(memberId: string) {
      await model.deleteOne({ _id: memberId });
    },
  };
}

/** Accounts as sign-ins and operations read and change them. */
export type AccountStore = ReturnType<typeof createAccountStore>;
