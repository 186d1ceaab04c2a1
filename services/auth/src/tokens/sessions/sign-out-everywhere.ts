import { endSessions } from '@covalence/contract/peers/auth-api';
import { addressKey } from '@covalence/http/address-key';
import { endpoint, serviceEndpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import { revokeFamiliesOf, type TokensContext } from '../families/revoke-families.ts';

/** Ends every session and family of an account except the family `kept`, at once. Idempotent. */
export async function signOutEverywhere(
  memberId: string,
  context: TokensContext,
  kept?: string,
): Promise<void> {
  await context.accounts.setSignedOut(memberId, context.clock());
  await revokeFamiliesOf(memberId, kept, context);
}

/** POST /session/everywhere: an app signs its member out everywhere, itself included. */
export const signOutMember = endpoint({
  access: 'member',
  tag: 'Sign-in',
  operationId: 'signOutEverywhere',
  summary: 'Sign out everywhere',
  description: 'Ends all sign-ins of the member, including the one that makes the call.',
  answer: 'Every sign-in has ended.',
  input: z.object({}),
  output: z.object({}),
  handler: async ({ caller, address }, context: TokensContext) => {
    await signOutEverywhere(caller.memberId, context);
    context.security.record('signed_out_everywhere', {
      member: caller.memberId,
      client: caller.clientId,
      address: addressKey(address),
    });
    return {};
  },
});

/** POST /internal/sessions/end: the member has to sign in again everywhere. Idempotent. */
export const endMemberSessions = serviceEndpoint(
  endSessions,
  async ({ member_id }, context: TokensContext) => {
    await signOutEverywhere(member_id, context);
    return {};
  },
);
