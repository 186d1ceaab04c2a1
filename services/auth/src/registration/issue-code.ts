import { invalidArgument } from '@covalence/contract/failure';
import { issueCode } from '@covalence/contract/peers/auth-api';
import { serviceEndpoint } from '@covalence/http/endpoint';
import type { SignInContext } from '../sign-in/sign-in-context.ts';
import { createCode } from '../tokens/provider/create-code.ts';

/** POST /internal/codes: an authorization code for a new member. */
export const issue = serviceEndpoint(
  issueCode,
  async (input, context: SignInContext & { readonly audience: string }) => {
    const account = await context.accounts.find(input.member_id);
    if (account?.status !== 'active') throw invalidArgument();
    const authTime = Math.floor(context.clock().getTime() / 1000);
    const issued = await createCode(input.client_id, account, { method: 'pwd', authTime }, input, context);
    if (!issued) throw invalidArgument();
    return { code: issued.code };
  },
);
