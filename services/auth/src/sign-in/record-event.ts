import { addressKey } from '@covalence/http/address-key';
import type { SecurityEventName } from '@covalence/runtime/security-events';
import type { Request } from 'express';
import type { Account } from '../accounts/account.ts';
import type { Interaction } from './interaction.ts';
import type { SignInContext } from './sign-in-context.ts';

/** A request for a hosted page, during a sign-in or not. */
interface PageRequest {
  readonly request: Request;
  readonly context: Pick<SignInContext, 'security'>;
  readonly interaction?: Interaction;
}

/** Records a security event with the account, the client of a sign-in, and the address of the request. */
export function recordEvent(
  { request, context, interaction }: PageRequest,
  name: SecurityEventName,
  { account, reason }: { readonly account?: Account | undefined; readonly reason?: string } = {},
): void {
  context.security.record(name, {
    [account?.staff ? 'staff' : 'member']: account?._id,
    client: interaction?.clientId,
    address: addressKey(request.ip ?? ''),
    reason,
  });
}
