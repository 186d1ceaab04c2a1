import type { UpdateBody } from '@covalence/contract/live-updates';
import type { SecurityType } from '@covalence/contract/push-types';
import type { Account } from '../accounts/account.ts';
import type { SignInContext } from './sign-in-context.ts';

type Alert = Extract<UpdateBody, { type: SecurityType }>;

/**
 * Tells a member at open sockets and on devices what happened to the account, after the response. What fails is only logged, because
 * each alert is also mailed.
 */
export function alertMember(
  { id, staff }: Account,
  alert: Pick<Alert, 'type' | 'data'>,
  { background, now, profile, tokens }: Pick<SignInContext, 'background' | 'now' | 'profile' | 'tokens'>,
): void {
  if (staff) return;
  const update = { ...alert, at: now().toISOString() } as Alert;
  background.run(tokens.revocations.tellSockets(id, update));
  background.run(profile.alertMember({ id, alert: alert.type }).then(() => undefined));
}
