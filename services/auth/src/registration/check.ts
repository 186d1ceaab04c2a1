import { failCodes } from '@covalence/contract/failure-codes';
import { checkAccount } from '@covalence/contract/internal/auth-api';
import { endpoint } from '@covalence/http/endpoint';
import type { Context } from '../context.ts';
import { isTaken, isUsernameTaken } from '../accounts/names/claims.ts';
import { claimId } from '../accounts/names/claim-id.ts';
import { passwordAllowed } from '../accounts/passwords/password-rules.ts';
import type { z } from 'zod';

type Credentials = z.output<typeof checkAccount.input>;

/**
 * The codes of what would be refused: 10201 alone, or else 10101 and 10302, which are looked up only where a registration
 * would go through otherwise.
 */
export async function refusedCredentials(input: Credentials, context: Context): Promise<number[]> {
  const { siteid, username, email, password, password_minimum: minimum } = input;
  const by = input.member_id;
  const site = context.sites.get(siteid);
  if (password !== undefined && !passwordAllowed(password, { minimum, username, email, site }))
    return [failCodes.passwordInvalid];
  if (input.look_up_names === false) return [];
  const [usernameTaken, emailTaken] = await Promise.all([
    username !== undefined && isUsernameTaken(siteid, username, context, by),
    email !== undefined && isTaken(claimId(siteid, 'email', email), context, by),
  ]);
  return [...(usernameTaken ? [failCodes.usernameTaken] : []), ...(emailTaken ? [failCodes.emailTaken] : [])];
}

/** POST /internal/accounts/check: what of these credentials registration would refuse. */
export const check = endpoint({
  access: 'service',
  summary: 'What of these credentials would be refused',
  ...checkAccount,
  handler: async ({ input }, context: Context) => ({ failcode: await refusedCredentials(input, context) }),
});
