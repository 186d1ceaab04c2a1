import type { Connection, QueryFilter } from 'mongoose';
import type { Account, QueuedMail, Totp } from './account.ts';
import { accountCollection, orNone, withMails } from './account-store.ts';

/** Data stored together with a change of the factors. */
export interface FactorExtras {
  readonly mails: readonly QueuedMail[];
  readonly at: Date;
}

/** Selects an account whose factors and sign-outs are those that were read. */
export const withSameFactors = ({
  _id,
  totp,
  passkeys,
  recovery_codes,
  signed_out_at,
}: Account): QueryFilter<Account> => ({
  _id,
  'totp.secret': orNone(totp?.secret),
  'passkeys.0.id': orNone(passkeys?.[0]?.id),
  recovery_codes: orNone(recovery_codes),
  signed_out_at: orNone(signed_out_at),
});

/** Creates the store on the collection of accounts. */
export function createSecondFactorStore(connection: Connection) {
  const { model, isChanged } = accountCollection(connection);
  return {
    /**
     * Sets app and recovery codes. Staff have no page to remove a lost passkey: a new app replaces it. False when the factors have changed
     * since the account was read.
     */
    setTotp: (
      account: Account,
      totp: Totp,
      recovery_codes: readonly string[],
      extras: FactorExtras,
    ): Promise<boolean> =>
      isChanged(
        withSameFactors(account),
        withMails(
          { $set: { totp, recovery_codes }, ...(account.staff && { $unset: { passkeys: 1 } }) },
          extras,
        ),
      ),
    /** Replaces the recovery codes; false when the factors have changed since the account was read. */
    setRecoveryCodes: (
      account: Account,
      recovery_codes: readonly string[],
      extras: FactorExtras,
    ): Promise<boolean> =>
      isChanged(withSameFactors(account), withMails({ $set: { recovery_codes } }, extras)),
    /** Removes the app that was added at this time, with the recovery codes; false when it is gone. */
    removeTotp: ({ _id }: Account, added_at: Date, extras: FactorExtras): Promise<boolean> =>
      isChanged(
        { _id, 'totp.added_at': added_at },
        withMails({ $unset: { totp: 1, recovery_codes: 1 } }, extras),
      ),
    /** Stores the use of a code; false when this one or a newer one was used. `secret` replaces the encrypted key. */
    useTotp: ({ _id, totp }: Account, step: number, secret = totp?.secret): Promise<boolean> =>
      isChanged(
        { _id, 'totp.secret': orNone(totp?.secret), 'totp.last_step': { $lt: step } },
        { $set: { 'totp.secret': secret, 'totp.last_step': step } },
      ),
    /** Uses up a recovery code; false when there is none with this hash. */
    useRecovery: ({ _id }: Account, hash: string): Promise<boolean> =>
      isChanged({ _id, recovery_codes: hash }, { $pull: { recovery_codes: hash } }),
    /** Removes app and passkeys; the one recovery code that is left leads to new ones. */
    async reset(accountId: string, hash: string) {
      await model.updateOne(
        { _id: accountId },
        { $unset: { totp: 1, passkeys: 1, passkey_user: 1 }, $set: { recovery_codes: [hash] } },
      );
    },
  };
}

/** Second factors, in the documents of their accounts. */
export type SecondFactorStore = ReturnType<typeof createSecondFactorStore>;
