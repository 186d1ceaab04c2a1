import { unavailable } from '@covalence/contract/failure';
import { failCodes } from '@covalence/contract/failure-codes';
import { confirmImported, importAccounts } from '@covalence/contract/internal/auth-api';
import { endpoint } from '@covalence/http/endpoint';
import type { z } from 'zod';
import type { Context } from '../context.ts';
import type { Account, Claim } from '../accounts/account.ts';
import { claimsOf, looksTaken, takeClaim } from '../accounts/names/claims.ts';
import { claimId } from '../accounts/names/claim-id.ts';
import { plainLookAlikes, usernameClaims, type Name } from '../accounts/names/username-claims.ts';

type Imported = z.output<typeof importAccounts.input>['accounts'][number];

/** The address came with the member from where they were before: nobody asks for it again. */
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

/** The ids of those accounts whose username looks like the plain Latin one of another. */
async function lookAlikesIn(list: readonly Account[], context: Context): Promise<Set<string>> {
  const found = new Set<string>();
  for (const { _id, siteid, username } of list) {
    if (await looksTaken(siteid, username, context, _id)) found.add(_id);
  }
  return found;
}

/** The codes of those accounts that want a name which another one of the same list, or somebody else, has. */
async function refusedOf(
  list: readonly Account[],
  context: Context,
): Promise<Map<string, readonly number[]>> {
  const { accounts } = context;
  const wanted = list.flatMap((account) => claimsFor(account).map((claim) => ({ account, claim })));
  const areNew = await accounts.claimMany(wanted.map(({ claim }) => claim));
  // After the claims: a plain Latin name of the same list may be the one that another looks like.
  const others = list.filter(({ siteid, username }) => plainLookAlikes(siteid, username).length > 0);
  const alike = [...(await lookAlikesIn(others, context))].map(
    (id) => [id, [failCodes.usernameTaken]] as const,
  );
  const refused = new Map<string, readonly number[]>(alike);
  if (areNew) return refused;
  const held = await accounts.findClaims(wanted.map(({ claim }) => claim._id));
  const holders = new Map(held.map((claim) => [claim._id, claim.member_id]));
  for (const { account, claim } of wanted) {
    if (holders.get(claim._id) === account._id) continue;
    if (await takeClaim(claim, account._id, context)) continue;
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
 * The accounts that are there already; those of an import that ended in between are reserved again, so that nobody gives them
 * up now. 503 while one of them is being given up: in a moment it is gone.
 */
async function keptAccounts(ids: readonly string[], { accounts, now }: Context): Promise<Account[]> {
  const kept = await accounts.findMany(ids);
  const pending = kept.filter(({ status }) => status === 'pending').map(({ _id }) => _id);
  if (!pending.length) return kept;
  await accounts.renewMany(pending, now());
  const renewed = await accounts.findMany(pending);
  if (renewed.length < pending.length || renewed.some(({ given_up_at }) => given_up_at)) {
    throw unavailable(new Error('imported accounts are being given up'));
  }
  return kept;
}

/** POST /internal/accounts/import: pending accounts in bulk; safe to repeat. */
export const importMany = endpoint({
  access: 'service',
  summary: 'Accounts in bulk, pending',
  ...importAccounts,
  handler: async ({ input }, context: Context) => {
    const { accounts, now } = context;
    const ids = input.accounts.map((account) => account.member_id);
    const known = new Map((await keptAccounts(ids, context)).map((account) => [account._id, account]));
    const fresh = input.accounts
      .filter((account) => !known.has(account.member_id))
      .map((account) => accountOf(account, now()));
    const refused = await refusedOf(fresh, context);
    const accepted = fresh.filter((account) => !refused.has(account._id));
    const areNew = await accounts.addMany(accepted);
    for (const account of fresh) {
      if (refused.has(account._id)) await accounts.release(claimsOf(account, now()), account._id);
    }
    // Of two imports of one member at once, the first one's account is the one that is kept.
    const there = areNew
      ? [...known.values(), ...accepted]
      : await accounts.findMany(ids.filter((id) => !refused.has(id)));
    return {
      accounts: there.map(({ _id, id }) => ({ member_id: _id, id })),
      refused: [...refused].map(([member_id, failcode]) => ({ member_id, failcode: [...failcode] })),
    };
  },
});

/** POST /internal/accounts/import/confirm: the members of these accounts exist. */
export const confirmMany = endpoint({
  access: 'service',
  summary: 'Imported accounts may sign in',
  ...confirmImported,
  handler: async ({ input }, { accounts }: Context) => {
    await accounts.activateMany(input.member_ids);
    return {};
  },
});
