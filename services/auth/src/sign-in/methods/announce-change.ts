import type { UpdateBody } from '@covalence/contract/live-updates';
import type { SecurityType } from '@covalence/contract/push-types';
import { z } from 'zod';
import type { Account, QueuedMail } from '../../accounts/account.ts';
import { sealedLink } from '../../mail/links.ts';
import { sendNow } from '../../mail/queued-mail.ts';
import type { SignInContext } from '../sign-in-context.ts';

/** Days for which the notice of a new passkey or app can remove it. */
export const undoDays = 7;

const undone = z.object({
  member_id: z.string(),
  /** Id of the passkey, or when the app was added in milliseconds since the epoch. */
  id: z.string(),
});

/** Links by which a mailed notice removes what it is about. */
export const undoLinks = {
  passkey: sealedLink({ purpose: 'passkey-undo', route: '/passkey/:token', days: undoDays, schema: undone }),
  'two-step': sealedLink({
    purpose: 'two-step-undo',
    route: '/two-step/:token',
    days: undoDays,
    schema: undone,
  }),
};

type AlertUpdate = Extract<UpdateBody, { type: SecurityType }>;

type WithoutTime<Update> = Update extends AlertUpdate ? Omit<Update, 'at'> : never;

/** A change of the ways into an account. */
export interface Change {
  /** The notices, which were stored with the change. */
  readonly mails?: readonly QueuedMail[];
  /** The alert for open sockets and devices. */
  readonly alert?: WithoutTime<AlertUpdate>;
}

type Credential = Extract<AlertUpdate, { type: 'credential' }>['data'];

/** The alert of a sign-in method that was added, changed or removed. */
export const credentialAlert = (kind: Credential['kind'], change: Credential['change']) =>
  ({ type: 'credential', data: { kind, change } }) as const satisfies Change['alert'];

/** The alert of two-step sign-in that was turned off. */
export const twoStepOff = { alert: { type: 'two_step', data: { on: false } } } as const satisfies Change;

/**
 * Tells a member what happened to the account: sends its mails, and alerts open sockets and devices, after the response. An alert that
 * fails is only logged, because it is also mailed. A change that signs out everywhere is alerted before, while the sockets are open.
 */
export function announceChange(
  { _id, id, staff }: Account,
  { mails = [], alert }: Change,
  context: SignInContext,
): void {
  const { afterResponse, clock, profile, tokens } = context;
  if (mails.length) afterResponse.run(sendNow(_id, mails, context));
  if (!alert || staff) return;
  afterResponse.run(tokens.revocations.alertSockets(id, { ...alert, at: clock().toISOString() }));
  afterResponse.run(profile.alertMember({ id, alert: alert.type }).then(() => undefined));
}
