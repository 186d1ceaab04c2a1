import { loginKey } from '@covalence/contract/login-key';
import { addressKey } from '@covalence/http/address-key';
import { createHash } from 'node:crypto';
import type { Account } from '../accounts/account-store.ts';
import { isOutdated, type Compare } from '../accounts/passwords.ts';
import { passwordLength, passwordMaximum } from '../accounts/password-rules.ts';
import type { Context } from '../context.ts';
import { findAccounts, type Realm } from './find-accounts.ts';
import type { KnownDevice } from './known-device.ts';

/** One entry of credentials, and where it comes from. */
export interface Attempt {
  readonly login: string;
  readonly password: string;
  readonly realm: Realm;
  readonly address: string;
  readonly device: KnownDevice;
}

/** What an entry came to: the accounts it is right for, none of them, or too many failures before (seconds to wait). */
export type Outcome =
  | { readonly kind: 'right'; readonly accounts: readonly [Account, ...Account[]] }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'limited'; readonly seconds: number };

/** A login that means nobody is limited like one that means somebody; it is not kept readable. */
const unknownKey = ({ login, realm }: Attempt): string =>
  `unknown:${createHash('sha256')
    .update(`${realm.siteid ?? ''}:${loginKey(login)}`)
    .digest('base64url')}`;

/** Keeps a stronger hash when the parameters have risen since the old one was made. */
async function rehash(account: Account, password: string, { accounts, passwords }: Context): Promise<void> {
  const { _id, password_hash: before } = account;
  if (!before || !isOutdated(before)) return;
  await accounts.replaceHash(_id, before, await passwords.hash(password));
}

/** How long this attempt on an account has to wait: a browser that signed in to it before has a counter of its own. */
function waitFor(
  accountKey: string,
  isKnown: boolean,
  attempt: Attempt,
  { attempts }: Context,
): Promise<number> {
  if (isKnown) return attempts.secondsToWait([{ kind: 'device', key: attempt.device.id }]);
  return attempts.secondsToWait([
    { kind: 'account', key: accountKey },
    { kind: 'address', key: addressKey(attempt.address) },
  ]);
}

async function countFailure(
  candidates: readonly Account[],
  attempt: Attempt,
  { attempts }: Context,
): Promise<void> {
  const known = candidates.filter((account) => attempt.device.knows(account._id));
  const others = candidates.filter((account) => !known.includes(account)).map((account) => account._id);
  const keys = candidates.length ? others : [unknownKey(attempt)];
  await Promise.all([
    ...keys.map((key) => attempts.failed('account', key)),
    keys.length ? attempts.failed('address', addressKey(attempt.address)) : undefined,
    known.length ? attempts.failed('device', attempt.device.id) : undefined,
  ]);
}

/** Limits and password in one turn of the hashing, so that a burst of tries cannot slip past the count. */
async function tryCandidates(
  candidates: readonly Account[],
  attempt: Attempt,
  compare: Compare,
  context: Context,
): Promise<Outcome> {
  const { password, device } = attempt;
  const seconds = candidates.length
    ? await Promise.all(candidates.map(({ _id }) => waitFor(_id, device.knows(_id), attempt, context)))
    : [await waitFor(unknownKey(attempt), false, attempt, context)];
  const open = candidates.filter((_account, index) => !seconds[index]);
  if (!seconds.includes(0)) return { kind: 'limited', seconds: Math.min(...seconds) };
  const right: Account[] = [];
  for (const account of open) {
    if (await compare(password, account.password_hash)) right.push(account);
  }
  if (!open.length) await compare(password, undefined);
  const [first, ...rest] = right;
  if (first) return { kind: 'right', accounts: [first, ...rest] };
  await countFailure(open, attempt, context);
  return { kind: 'wrong' };
}

/** Checks an entry of the login form (D43). */
export async function authenticate(attempt: Attempt, context: Context): Promise<Outcome> {
  if (passwordLength(attempt.password) > passwordMaximum) return { kind: 'wrong' };
  const candidates = await findAccounts(attempt.login, attempt.realm, context);
  const outcome = await context.passwords.inTurn((compare) =>
    tryCandidates(candidates, attempt, compare, context),
  );
  if (outcome.kind === 'right') {
    // Nobody waits for it, nor is refused for want of a turn (P363).
    for (const account of outcome.accounts)
      context.background.run(rehash(account, attempt.password, context));
  }
  return outcome;
}
