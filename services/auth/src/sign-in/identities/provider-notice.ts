import { invalidArgument, notFound, unavailable } from '@covalence/contract/failure';
import { endpoint } from '@covalence/http/endpoint';
import { jsonText } from '@covalence/runtime/json-text';
import { z } from 'zod';
import type { Account } from '../../accounts/account.ts';
import { isSameEmail } from '../../accounts/addresses.ts';
import type { ProviderConnection } from '../../accounts/identities/provider-connection.ts';
import { IdentityRefusedError } from '../../accounts/identities/provider-requests.ts';
import { checkTokens } from '../../accounts/identities/provider-tokens.ts';
import { noticesOf } from '../../mail/queued-mail.ts';
import { signOutEverywhere } from '../../tokens/sessions/sign-out-everywhere.ts';
import { announceChange, credentialAlert } from '../methods/announce-change.ts';
import type { SignInContext } from '../sign-in-context.ts';
import { linkedAccounts } from './linked-accounts.ts';

const eventSchema = z.object({
  type: z.string(),
  sub: z.string().max(255),
  email: z.email().max(254).optional(),
  /** Since the epoch, in seconds or milliseconds. */
  event_time: z.number().positive().optional().catch(undefined),
});

/** Tolerance for the clock of a provider, and for claims in whole seconds. */
const skewMs = 30_000;

/** Seconds since the epoch stay below this number, and milliseconds are above it. */
const firstMs = 100_000_000_000;

/** Apple puts the event into the claim as JSON text. */
const noticeSchema = z.object({
  events: z.union([jsonText.pipe(eventSchema), eventSchema]),
  iat: z.number(),
});

/** When the event of a notice happened at the latest. A notice may arrive later, and out of order. */
function latestTime({ iat, events: { event_time = iat } }: z.output<typeof noticeSchema>): Date {
  const time = event_time < firstMs ? event_time * 1000 : event_time;
  return new Date(Math.min(time, iat * 1000) + skewMs);
}

interface Notice {
  readonly connection: ProviderConnection;
  readonly email: string;
  readonly at: Date;
}

type Effect = (account: Account, notice: Notice, context: SignInContext) => Promise<void>;

/**
 * Unlinks the account at the provider and ends every sign-in, because any of them may have come through it: before, so that a
 * repeated notice still finds the link after a fault, and after, because the link may sign in in between. A later link stays.
 */
const unlink: Effect = async (account, { connection: { provider }, at }, context) => {
  const { accounts, clock } = context;
  const { _id, identities = [] } = account;
  const linked = identities.find((one) => one.provider === provider.id);
  if (!linked || linked.linked_at > at) return;
  const mails = noticesOf(account, { topic: 'mailWayInRemoved', values: { what: provider.name } }, context);
  announceChange(account, { alert: credentialAlert('provider', 'removed') }, context);
  await signOutEverywhere(_id, context);
  await checkTokens([linked], context);
  if (
    await accounts.signInMethods.remove(_id, { list: 'identities', id: linked.id }, { mails, at: clock() })
  ) {
    context.security.record('identity_removed', { member: _id, reason: 'provider' });
    announceChange(account, { mails }, context);
  }
  await signOutEverywhere(_id, context);
};

/** Whether a notice is about the current address of the account, and its provider runs the mailbox. */
const isAbout = ({ email }: Account, { connection, email: named }: Notice): boolean =>
  isSameEmail(email, named) && connection.runsMailbox(email);

/** The effect of each event (Apple's server-to-server notifications). */
const effects: Readonly<Record<string, Effect>> = {
  'consent-revoked': unlink,
  'account-delete': unlink,
  'account-deleted': unlink,
  async 'email-disabled'(account, notice, { accounts }) {
    const { _id, email, email_confirmed_at: confirmedAt } = account;
    const isConfirmedLater = confirmedAt !== undefined && confirmedAt > notice.at;
    if (isAbout(account, notice) && !isConfirmedLater) await accounts.emails.unconfirm(_id, email);
  },
  async 'email-enabled'(account, notice, { accounts, clock }) {
    if (isAbout(account, notice)) await accounts.emails.confirm(account._id, account.email, clock());
  },
};

/** POST /identity/notices/:provider: takes a provider's signed notice about an account. Idempotent. */
export const takeNotice = endpoint({
  access: 'public',
  tag: 'Sign-in',
  operationId: 'takeProviderNotice',
  summary: 'Receive a provider’s notice about an account',
  description:
    'Receives server-to-server notifications from Apple, which signs each one. A revoked consent or a deleted account at the provider ends the link with it and every sign-in of the member; a relay address that no longer forwards counts as not confirmed.',
  answer: 'The notice has taken effect.',
  statuses: [404],
  example: {
    request: { provider: 'apple', payload: 'eyJhbGciOiJSUzI1NiJ9.eyJldmVudHMiOiJ7fSJ9.c2lnbmF0dXJl' },
    answer: {},
  },
  input: z.object({
    provider: z.string().max(31).meta({ description: 'The id of the provider.' }),
    payload: z.string().max(8_192).meta({ description: 'The signed notice, a JWT.' }),
  }),
  output: z.object({}),
  handler: async ({ input: { provider, payload } }, context: SignInContext) => {
    const connection = context.identities.providers.get(provider);
    if (!connection) throw notFound();
    const claims = await connection.verifyNotice(payload).catch((error: unknown) => {
      throw error instanceof IdentityRefusedError ? invalidArgument() : unavailable(error);
    });
    const { data: notice } = noticeSchema.safeParse(claims);
    if (!notice) throw invalidArgument();
    const { type, sub, email = '' } = notice.events;
    const effect = effects[type];
    if (!effect) return {};
    for (const account of await linkedAccounts({ provider, subject: sub }, undefined, context))
      await effect(account, { connection, email, at: latestTime(notice) }, context);
    return {};
  },
});
