import { failCodes } from '@covalence/contract/failure-codes';
import { checkAccount } from '@covalence/contract/internal/auth-api';
import type { Sites } from '@covalence/contract/sites';
import { endpoint } from '@covalence/http/endpoint';
import type { z } from 'zod';
import { claimId } from '../accounts/names/claim-id.ts';
import { isTaken, isUsernameTaken, type ClaimContext } from '../accounts/names/claims.ts';
import { passwordAllowed } from '../accounts/passwords/password-rules.ts';

type Credentials = z.output<typeof checkAccount.input>;

/** Dependencies of the check of credentials. */
export interface CheckContext extends ClaimContext {
  readonly sites: Sites;
}

/**
 * Failure codes of the credentials of a registration: 10201 alone, or 10101 and 10302. Names are looked up only when
 * everything else is valid.
 */
export async function refusedCredentials(input: Credentials, context: CheckContext): Promise<number[]> {
  const { siteid, username, email, password, password_minimum: minimum, member_id } = input;
  const site = context.sites.get(siteid);
  if (password !== undefined && !passwordAllowed(password, { minimum, username, email, site }))
    return [failCodes.passwordInvalid];
  if (input.look_up_names === false) return [];
  const [usernameTaken, emailTaken] = await Promise.all([
    username !== undefined && isUsernameTaken(siteid, username, context, member_id),
    email !== undefined && isTaken(claimId(siteid, 'email', email), context, member_id),
  ]);
  return [...(usernameTaken ? [failCodes.usernameTaken] : []), ...(emailTaken ? [failCodes.emailTaken] : [])];
}

/** POST /internal/accounts/check: the codes with which a registration would be refused. */
export const check = endpoint({
  access: 'service',
  summary: 'Check the credentials of a registration',
  ...checkAccount,
  handler: async ({ input }, context: CheckContext) => ({
    failcode: await refusedCredentials(input, context),
  }),
});
