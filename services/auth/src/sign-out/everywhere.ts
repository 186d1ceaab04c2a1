import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { signOutEverywhere } from './sign-out-everywhere.ts';

/** POST /session/everywhere: an app signs its member out everywhere, itself included. */
export const everywhere = endpoint({
  access: 'member',
  summary: 'Sign out everywhere',
  input: z.object({}),
  output: z.object({}),
  handler: async ({ caller }, context: Context) => {
    await signOutEverywhere(caller.memberId, context);
    context.logger.info({ member: caller.id, client_id: caller.clientId }, 'signed out everywhere');
    return {};
  },
});
