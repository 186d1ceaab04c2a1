import { failCodes } from '@covalence/contract/failure-codes';
import { unavailable } from '@covalence/contract/failure';
import { confirmImported, importAccounts } from '@covalence/contract/peers/auth-api';
import { serviceEndpoint } from '@covalence/http/endpoint';
import type { z } from 'zod';
import type { Account } from '../accounts/account.ts';
import { claimName, claimsOf, isLookAlike, type AccountsContext } from '../accounts/names/claims.ts';
import type { Claim } from '../accounts/names/claim-store.ts';
import { claimId, plainLookAlikes, usernameClaims, type Name } from '../accounts/names/names.ts';

type Imported = z.output<typeof importAccounts.input>['accounts'][number];

/** The address counts as confirmed: it was in use before the import. */
const accountOf = ({ member_id, ...rest }: Imported, now: Date): Account => ({
  _id: member_id,
  ...rest,
  status: 'pending',
  staff: false,
  created_at: now,
  email_confirmed_at: now,
});

const namesOf = ({ siteid, username, email }: Account): Name[] => [
  ...usernameClaims(siteid, username),
  { _id: claimId(siteid, 'email', email) },
];

const claimsFor = (account: Account): Claim[] =>
  namesOf(account).map((name) => ({ ...name, member_id: account._id, at: account.created_at }));

/** Ids of the accounts whose username looks like another member's plain Latin one. */
async function lookAlikesIn(list: readonly Account[], context: AccountsContext): Promise<Set<string>> {
  const found = new Set<string>();
  for (const { _id, siteid, username } of list) {
    if (await isLookAlike(siteid, username, context, _id)) found.add(_id);
  }
  return found;
}

/** Failure codes by account, for names that another member or another account of the list owns. */
async function refusedOf(
  list: readonly Account[],
  context: AccountsContext,
): Promise<Map<string, readonly number[]>> {
  const { accounts } = context;
  const wanted = list.flatMap((account) => claimsFor(account).map((claim) => ({ account, claim })));
  const areNew = await accounts.claims.addMany(wanted.map(({ claim }) => claim));
  // After the claims: a username may look like a plain Latin one of the same list.
  const others = list.filter(({ siteid, username }) => plainLookAlikes(siteid, username).length > 0);
  const alike = [...(await lookAlikesIn(others, context))].map(
    (id) => [id, [failCodes.usernameTaken]] as const,
  );
  const refused = new Map<string, readonly number[]>(alike);
  if (areNew) return refused;
  const held = await accounts.claims.find(wanted.map(({ claim }) => claim._id));
  const holders = new Map(held.map((claim) => [claim._id, claim.member_id]));
  for (const { account, claim } of wanted) {
    if (holders.get(claim._id) === account._id) continue;
    if (await claimName(claim, account._id, context)) continue;
    const isEmail = claim._id === claimId(account.siteid, 'email', account.email);
    const codes = new Set([
      ...(refused.get(account._id) ?? []),
      isEmail ? failCodes.emailTaken : failCodes.usernameTaken,
    ]);
    refused.set(
      account._id,
      [...codes].toSorted((one, other) => one - other),
    );
  }
  return refused;
}

/**
 * The accounts that exist. Pending ones of an interrupted import are reserved again, so that they do not count as
 * abandoned. 503 while one of them is being removed: a retry succeeds.
 */
async function keptAccounts(
  ids: readonly string[],
  { accounts, clock }: AccountsContext,
): Promise<Account[]> {
  const kept = await accounts.findMany(ids);
  const pending = kept.filter(({ status }) => status === 'pending').map(({ _id }) => _id);
  if (!pending.length) return kept;
  await accounts.pending.renewMany(pending, clock());
  const renewed = await accounts.findMany(pending);
  if (renewed.length < pending.length || renewed.some(({ abandoned_at }) => abandoned_at)) {
    throw unavailable(new Error('imported accounts are being removed'));
  }
  return kept;
}

/** POST /internal/accounts/import: adds pending accounts in bulk. Idempotent. */
export const importMany = serviceEndpoint(importAccounts, async (input, context: AccountsContext) => {
  const { accounts, clock } = context;
  const ids = input.accounts.map((account) => account.member_id);
  const known = new Map((await keptAccounts(ids, context)).map((account) => [account._id, account]));
  const fresh = input.accounts
    .filter((account) => !known.has(account.member_id))
    .map((account) => accountOf(account, clock()));
  const refused = await refusedOf(fresh, context);
  const accepted = fresh.filter((account) => !refused.has(account._id));
  const areNew = await accounts.pending.addMany(accepted);
  for (const account of fresh) {
    if (refused.has(account._id)) await accounts.claims.release(claimsOf(account, clock()), account._id);
  }
  // Of two concurrent imports of one member, the first one's account stays.
  const there = areNew
    ? [...known.values(), ...accepted]
    : await accounts.findMany(ids.filter((id) => !refused.has(id)));
  return {
    accounts: there.map(({ _id, id }) => ({ member_id: _id, id })),
    refused: [...refused].map(([member_id, failcode]) => ({ member_id, failcode: [...failcode] })),
  };
});

/** POST /internal/accounts/import/confirm: the members exist, so their accounts can sign in. */
export const confirmMany = serviceEndpoint(confirmImported, async (input, { accounts }: AccountsContext) => {
  await accounts.pending.activateMany(input.member_ids);
  return {};
});
