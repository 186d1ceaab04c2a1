import { loginKey } from '@covalence/contract/login-key';
import { addressKey } from '@covalence/http/address-key';
import type { Account } from '../accounts/account.ts';
import { isOutdated, type Compare } from '../accounts/passwords/passwords.ts';
import { passwordLength, passwordMaximum } from '../accounts/passwords/password-rules.ts';
import type { Counter } from '../accounts/attempts-store.ts';
import { sha256 } from '../keys/algorithms.ts';
import { findAccounts, siteidsOf, type Realm } from './find-accounts.ts';
import { deviceOf } from '../tokens/sessions/known-device.ts';
import type { PageVisit, SignInContext } from './sign-in-context.ts';

/** Entered credentials. */
export interface Attempt {
  readonly login: string;
  readonly password: string;
  readonly realm: Realm;
}

/**
 * Outcome: the accounts with these credentials, wrong credentials, or too many failures before. Refusals name the
 * account when there is exactly one candidate.
 */
export type Outcome =
  | { readonly kind: 'right'; readonly accounts: readonly [Account, ...Account[]] }
  | { readonly kind: 'wrong'; readonly account?: Account | undefined }
  | { readonly kind: 'limited'; readonly seconds: number; readonly account?: Account | undefined };

/** Candidate accounts and the counters of their failures: one exceeded counter blocks the whole group. */
interface Group {
  readonly accounts: readonly Account[];
  readonly counters: readonly Counter[];
}

/** Counter of an unknown login, hashed: limits must not reveal whether an account exists. */
const unknownKey = (siteid: number, login: string): string =>
  `unknown:${sha256(`${siteid}:${loginKey(login)}`)}`;

/** A known device has its own counter; all other candidates and unknown logins share theirs. */
function groupsOf(
  candidates: readonly Account[],
  { login, realm }: Attempt,
  { request, context }: PageVisit,
): Group[] {
  const { sites } = context;
  const device = deviceOf(request, context);
  const known = candidates.filter((account) => device.knows(account));
  const others = candidates.filter((account) => !known.includes(account));
  const nowhere = siteidsOf(realm, sites).filter((id) => !candidates.some(({ siteid }) => siteid === id));
  const keys = [...others.map(({ _id }) => _id), ...nowhere.map((siteid) => unknownKey(siteid, login))];
  const ofDevice: Group = { accounts: known, counters: [{ kind: 'device', key: device.id }] };
  const ofStrangers: Group = {
    accounts: others,
    counters: [
      ...keys.map((key): Counter => ({ kind: 'account', key })),
      { kind: 'address', key: addressKey(request.ip ?? '') },
    ],
  };
  if (!known.length) return [ofStrangers];
  return others.length ? [ofDevice, ofStrangers] : [ofDevice];
}

/** Replaces a hash with outdated parameters. */
async function rehash(account: Account, password: string, { accounts }: SignInContext): Promise<void> {
  const { _id, password_hash: before } = account;
  if (!before || !isOutdated(before)) return;
  await accounts.replaceHash(_id, before, await accounts.passwords.hash(password, _id));
}

/** Checks limits and password in one job of the hashing queue, so that concurrent attempts cannot exceed a limit. */
async function tryGroups(
  groups: readonly Group[],
  password: string,
  compare: Compare,
  { accounts: { attempts } }: SignInContext,
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
  await Promise.all(failed.map(({ kind, key }) => attempts.fail(kind, key)));
  return { kind: 'wrong' };
}

/** Checks entered credentials, under the limits of the browser and the address that sent them. */
export async function authenticate(visit: PageVisit, attempt: Attempt): Promise<Outcome> {
  const { request, context } = visit;
  if (passwordLength(attempt.password) > passwordMaximum) return { kind: 'wrong' };
  const candidates = await findAccounts(attempt.login, attempt.realm, context);
  const groups = groupsOf(candidates, attempt, visit);
  const outcome = await context.accounts.passwords.inTurn(
    (compare) => tryGroups(groups, attempt.password, compare, context),
    addressKey(request.ip ?? ''),
  );
  if (outcome.kind === 'right') {
    // In the background: a full hashing queue must not fail the sign-in.
    for (const account of outcome.accounts)
      context.afterResponse.run(rehash(account, attempt.password, context));
    return outcome;
  }
  return { ...outcome, account: candidates.length === 1 ? candidates[0] : undefined };
}
