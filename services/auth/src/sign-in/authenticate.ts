import { loginKey } from '@covalence/contract/login-key';
import { addressKey } from '@covalence/http/address-key';
import { createHash } from 'node:crypto';
import type { Account } from '../accounts/account.ts';
import { isOutdated, type Compare } from '../accounts/passwords/passwords.ts';
import { passwordLength, passwordMaximum } from '../accounts/passwords/password-rules.ts';
import type { Context } from '../context.ts';
import type { Counter } from '../accounts/attempts-store.ts';
import { findAccounts, siteidsOf, type Realm } from './find-accounts.ts';
import type { KnownDevice } from '../tokens/sessions/known-device.ts';

/** One entry of credentials, and where it comes from. */
export interface Attempt {
  readonly login: string;
  readonly password: string;
  readonly realm: Realm;
  readonly address: string;
  readonly device: KnownDevice;
}

/**
 * What an entry came to: the accounts it is right for, none of them, or too many failures before (seconds to wait). A refusal
 * names the account that was meant, where it is one.
 */
export type Outcome =
  | { readonly kind: 'right'; readonly accounts: readonly [Account, ...Account[]] }
  | { readonly kind: 'wrong'; readonly account?: Account | undefined }
  | { readonly kind: 'limited'; readonly seconds: number; readonly account?: Account | undefined };

/** Accounts that an entry may mean, and what its failures are counted under: used up, one of them keeps it from all of these. */
interface Group {
  readonly accounts: readonly Account[];
  readonly counters: readonly Counter[];
}

/** A login that means nobody on a site is limited like one that means somebody; it is not kept readable. */
const unknownKey = (siteid: number, login: string): string =>
  `unknown:${createHash('sha256')
    .update(`${siteid}:${loginKey(login)}`)
    .digest('base64url')}`;

/**
 * A browser that signed in to an account before has a counter of its own for it. All others are counted together, the login on each site
 * where it means nobody among them, so that no limit tells whether somebody has it.
 */
function groupsOf(candidates: readonly Account[], attempt: Attempt, { sites }: Context): Group[] {
  const { login, realm, address, device } = attempt;
  const known = candidates.filter(({ _id }) => device.knows(_id));
  const others = candidates.filter((account) => !known.includes(account));
  const nowhere = siteidsOf(realm, sites).filter((id) => !candidates.some(({ siteid }) => siteid === id));
  const keys = [...others.map(({ _id }) => _id), ...nowhere.map((siteid) => unknownKey(siteid, login))];
  const ofDevice: Group = { accounts: known, counters: [{ kind: 'device', key: device.id }] };
  const ofStrangers: Group = {
    accounts: others,
    counters: [
      ...keys.map((key): Counter => ({ kind: 'account', key })),
      { kind: 'address', key: addressKey(address) },
    ],
  };
  if (!known.length) return [ofStrangers];
  return others.length ? [ofDevice, ofStrangers] : [ofDevice];
}

/** Keeps a stronger hash when the parameters have risen since the old one was made. */
async function rehash(account: Account, password: string, { accounts, passwords }: Context): Promise<void> {
  const { _id, password_hash: before } = account;
  if (!before || !isOutdated(before)) return;
  await accounts.replaceHash(_id, before, await passwords.hash(password, _id));
}

/** Limits and password in one turn of the hashing, so that a burst of tries cannot slip past the count. */
async function tryGroups(
  groups: readonly Group[],
  password: string,
  compare: Compare,
  { attempts }: Context,
): Promise<Outcome> {
  const seconds = await Promise.all(groups.map(({ counters }) => attempts.secondsToWait(counters)));
  const open = groups.filter((_group, index) => !seconds[index]);
  if (!open.length) return { kind: 'limited', seconds: Math.min(...seconds) };
  const accounts = open.flatMap((group) => group.accounts);
  const right: Account[] = [];
  for (const account of accounts) {
    if (await compare(password, account.password_hash)) right.push(account);
  }
  if (!accounts.length) await compare(password, undefined);
  const [first, ...rest] = right;
  if (first) return { kind: 'right', accounts: [first, ...rest] };
  const failed = open.flatMap((group) => group.counters);
  await Promise.all(failed.map(({ kind, key }) => attempts.failed(kind, key)));
  return { kind: 'wrong' };
}

/** Checks an entry of the login form. */
export async function authenticate(attempt: Attempt, context: Context): Promise<Outcome> {
  if (passwordLength(attempt.password) > passwordMaximum) return { kind: 'wrong' };
  const candidates = await findAccounts(attempt.login, attempt.realm, context);
  const groups = groupsOf(candidates, attempt, context);
  const outcome = await context.passwords.inTurn(
    (compare) => tryGroups(groups, attempt.password, compare, context),
    addressKey(attempt.address),
  );
  if (outcome.kind === 'right') {
    // Nobody waits for it, nor is refused for want of a turn.
    for (const account of outcome.accounts)
      context.background.run(rehash(account, attempt.password, context));
    return outcome;
  }
  return { ...outcome, account: candidates.length === 1 ? candidates[0] : undefined };
}
