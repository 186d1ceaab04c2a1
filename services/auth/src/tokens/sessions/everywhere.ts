import { addressKey } from '@covalence/http/address-key';
import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { signOutEverywhere } from './sign-out-everywhere.ts';

/** POST /session/everywhere: an app signs its member out everywhere, itself included. */
export const everywhere = endpoint({
  access: 'member',
  tag: 'Sign-in',
  operationId: 'signOutEverywhere',
  summary: 'Sign out everywhere',
  description: 'Ends all sign-ins of the member, including the one that makes the call.',
  answer: 'Every sign-in has ended.',
  input: z.object({}),
  output: z.object({}),
  handler: async ({ caller, address }, context: Context) => {
    await signOutEverywhere(caller.memberId, context);
    context.security.record('signed_out_everywhere', {
      member: caller.memberId,
      client: caller.clientId,
      address: addressKey(address),
    });
    return {};
  },
});
