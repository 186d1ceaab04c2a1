import { addressKey } from '@covalence/http/address-key';
import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { signOutEverywhere } from './sign-out-everywhere.ts';

/** POST /session/everywhere: an app signs its member out everywhere, itself included. */
export const everywhere = endpoint({
  access: 'member',
  summary: 'Sign out everywhere',
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
