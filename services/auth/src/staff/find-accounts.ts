import { findAccounts } from '@covalence/contract/peers/staff-api';
import { loginKey } from '@covalence/contract/login-key';
import { serviceEndpoint } from '@covalence/http/endpoint';
import type { z } from 'zod';
import { claimId } from '../accounts/names/names.ts';
import type { StaffContext } from './find-staff.ts';

type Sought = z.output<typeof findAccounts.input>;

/** A shorter beginning would list a site rather than find somebody. */
const shortestBeginning = 3;

/** Each makes the same calls of the stores whether or not there is such an account, on these sites or others. */
const finders: Readonly<Record<Sought['by'], (sought: Sought, context: StaffContext) => Promise<string[]>>> =
  {
    async username({ value, siteids, limit }, { accounts: { claims } }) {
      const ids = siteids.map((siteid) => claimId(siteid, 'username', value));
      const isLong = loginKey(value).length >= shortestBeginning;
      const [exact, longer] = await Promise.all([
        claims.find(ids),
        isLong ? claims.beginningWith(ids, limit) : [],
      ]);
      return [...exact, ...longer].map(({ member_id }) => member_id);
    },
    async email({ value, siteids }, { accounts: { claims } }) {
      const found = await claims.find(siteids.map((siteid) => claimId(siteid, 'email', value)));
      return found.map(({ member_id }) => member_id);
    },
    async sign_in({ value, siteids }, { tokens }) {
      const family = await tokens.families.find(value);
      return family && siteids.includes(family.subject?.siteid ?? 0) ? [family.account_id] : [];
    },
  };

/** POST /internal/accounts/find: the members that staff look for. */
export const findMemberAccounts = serviceEndpoint(findAccounts, async (input, context: StaffContext) => {
  const found = input.siteids.length ? await finders[input.by](input, context) : [];
  return { member_ids: [...new Set(found)].slice(0, input.limit) };
});
