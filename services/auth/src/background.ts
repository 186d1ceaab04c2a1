import { startJobs, type Job, type Jobs } from '@covalence/events/periodic';
import type { Background } from '@covalence/runtime/lifecycle';
import { settle } from '@covalence/runtime/settle';
import { expireAddresses } from './accounts/emails/change-addresses.ts';
import { revokeTokens } from './accounts/identities/revoke-tokens.ts';
import { repeatClientFlags } from './clients/repeat-flags.ts';
import type { Context } from './context.ts';
import { sendDueMails } from './mail/send-due-mails.ts';
import { resolveAbandoned } from './registration/resolve-abandoned.ts';
import { repeatAfterLoss } from './repeat-after-loss.ts';
import { repeatPushEnds, repeatRevocations } from './tokens/families/revoke-families.ts';

const standardEveryMs = 60_000;
/** Longer than the time between two rounds, so that one process keeps a job. */
const leaseMs = 90_000;

/** Writes again to Redis what the gateway reads there. */
async function repeatInRedis(context: Context): Promise<void> {
  const { clients, clock, tokens } = context;
  const endBrowser = (uid: string) => tokens.sessions.endBrowser(uid);
  await settle([repeatClientFlags(clients, clock), repeatRevocations(context, endBrowser)]);
}

/** The jobs: registrations, addresses, revocations in Redis, at profile and at providers, and mails. */
export function jobsOf(context: Context, everyMs = standardEveryMs): Jobs {
  const job = (work: Job['work']): Job => ({ everyMs, leaseMs, work });
  return {
    'abandoned-registrations': job((mayGoOn) => resolveAbandoned(context, mayGoOn)),
    'expired-addresses': job((mayGoOn) => expireAddresses(context, mayGoOn)),
    revocations: job(() => repeatInRedis(context)),
    'ended-push': job(() => repeatPushEnds(context)),
    'provider-tokens': job((mayGoOn) => revokeTokens(context, mayGoOn)),
    // Separate from confirmations: their links work for half an hour only.
    'queued-mails': job((mayGoOn) => sendDueMails('mails_queued_at', context, mayGoOn)),
    confirmations: job((mayGoOn) => sendDueMails('mail_due_at', context, mayGoOn)),
  };
}

/** Repeats revocations at once when Redis may have lost some; the periodic job repeats what fails. */
export function followFailovers(context: Context, signal: AbortSignal): void {
  const { redis, logger, afterResponse } = context;
  repeatAfterLoss({ redis, repeat: () => repeatInRedis(context), afterResponse, logger, signal });
}

/** Starts the jobs, and follows failovers of Redis. */
export function startBackground(context: Context): Background {
  const stopping = new AbortController();
  followFailovers(context, stopping.signal);
  const jobs = startJobs(context, jobsOf(context));
  return {
    async close() {
      stopping.abort();
      await jobs.close();
    },
  };
}
