import type { Connection, QueryFilter } from 'mongoose';
import type { Account, Totp } from './account.ts';
import { accountCollection } from './account-store.ts';

/** Wrong codes in a row after which an app is refused: guessing on cannot succeed. A recovery code and a passkey still count. */
const mostFailures = 100;

const orNone = <Value>(value: Value | undefined) => value ?? { $exists: false };

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
  const { model } = accountCollection(connection);
  const isChanged = async (filter: QueryFilter<Account>, change: object): Promise<boolean> =>
    (await model.updateOne(filter, change)).modifiedCount === 1;
  return {
    /** Sets app and recovery codes; false when the factors have changed since the account was read. */
    setTotp: (account: Account, totp: Totp, recovery_codes: readonly string[]): Promise<boolean> =>
      isChanged(withSameFactors(account), { $set: { totp, recovery_codes } }),
    /** Counts an attempt before its code is checked, so that attempts at the same time count too; false when there were too many. */
    tryTotp: ({ _id, totp }: Account): Promise<boolean> =>
      isChanged(
        { _id, 'totp.secret': orNone(totp?.secret), 'totp.failures': { $lt: mostFailures } },
        { $inc: { 'totp.failures': 1 } },
      ),
    /** Stores the use of a code; false when this one or a newer one was used. `secret` replaces the encrypted key. */
    useTotp: ({ _id, totp }: Account, step: number, secret = totp?.secret): Promise<boolean> =>
      isChanged(
        { _id, 'totp.secret': orNone(totp?.secret), 'totp.last_step': { $lt: step } },
        { $set: { 'totp.secret': secret, 'totp.last_step': step, 'totp.failures': 0 } },
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
