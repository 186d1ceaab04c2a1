import { importAccounts } from '@covalence/contract/internal/auth-api';
import { endpoint } from '@covalence/http/endpoint';
import type { z } from 'zod';
import type { Context } from '../context.ts';
import type { Account, Claim } from './account-store.ts';
import { claimsOf, takeClaim } from './claims.ts';

type Imported = z.output<typeof importAccounts.input>['accounts'][number];

const accountOf = ({ member_id, ...rest }: Imported, created_at: Date): Account => ({
  _id: member_id,
  ...rest,
  status: 'active',
  staff: false,
  created_at,
});

const claimsFor = (account: Account): Claim[] =>
  claimsOf(account).map((_id) => ({ _id, member_id: account._id, at: account.created_at }));

/** Ids of those accounts that want a name which another one of the same list, or somebody else, has. */
async function refusedOf(list: readonly Account[], context: Context): Promise<Set<string>> {
  const { accounts } = context;
  const wanted = list.flatMap(claimsFor);
  await accounts.claimMany(wanted);
  const held = await accounts.findClaims(wanted.map((claim) => claim._id));
  const holders = new Map(held.map((claim) => [claim._id, claim.member_id]));
  const refused = new Set<string>();
  for (const { _id, member_id } of wanted) {
    if (holders.get(_id) === member_id) continue;
    if (!(await takeClaim(_id, member_id, context))) refused.add(member_id);
  }
  return refused;
}

/** POST /internal/accounts/import: confirmed accounts in bulk; safe to repeat. */
export const importMany = endpoint({
  access: 'service',
  summary: 'Confirmed accounts in bulk',
  input: importAccounts.input,
  output: importAccounts.output,
  handler: async ({ input }, context: Context) => {
    const { accounts, now } = context;
    const present = await accounts.findMany(input.accounts.map((account) => account.member_id));
    const known = new Set(present.map((account) => account._id));
    const fresh = input.accounts
      .filter((account) => !known.has(account.member_id))
      .map((account) => accountOf(account, now()));
    const refused = await refusedOf(fresh, context);
    await accounts.addMany(fresh.filter((account) => !refused.has(account._id)));
    for (const account of fresh) {
      if (refused.has(account._id)) await accounts.release(claimsOf(account), account._id);
    }
    return { refused: [...refused] };
  },
});
