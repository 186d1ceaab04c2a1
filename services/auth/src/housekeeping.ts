import { createLease, type Lease } from '@covalence/events/lease';
import { doRound, startPeriodic, type MayGoOn, type Periodic } from '@covalence/events/periodic';
import type { Metrics } from '@covalence/runtime/metrics';
import type { RedisClient } from '@covalence/runtime/redis';
import { settle } from '@covalence/runtime/settle';
import type { Connection } from 'mongoose';
import { expireAddresses, type ExpireContext } from './accounts/emails/expire-addresses.ts';
import { revokeTokens, type RevokeTokensContext } from './accounts/identities/revoke-tokens.ts';
import type { Clients } from './clients/client-store.ts';
import { repeatClientFlags } from './clients/repeat-flags.ts';
import type { MailContext } from './mail/mail-context.ts';
import { sendDueMails } from './mail/send-due-mails.ts';
import { resolveAbandoned } from './registration/resolve-abandoned.ts';
import { repeatAfterLoss } from './repeat-after-loss.ts';
import { repeatPushEnds, repeatRevocations, type RepeatContext } from './tokens/families/revoke-families.ts';

/** Dependencies of the jobs. */
export interface HousekeepingDependencies
  extends ExpireContext, MailContext, RepeatContext, RevokeTokensContext {
  readonly accounts: ExpireContext['accounts'] & RevokeTokensContext['accounts'];
  readonly keys: RevokeTokensContext['keys'];
  readonly clients: Clients;
  readonly mongo: Connection;
  readonly metrics: Metrics;
  readonly everyMs?: number;
  /** Lease of a job. */
  readonly leaseOf?: (job: string) => Lease;
}

const standardEveryMs = 60_000;
/** Longer than the time between two rounds, so that one process keeps a job. */
const leaseMs = 90_000;

/**
 * Creates the periodic jobs, each run by one process at a time: resolve abandoned registrations, remove expired
 * addresses, repeat revocations in Redis and at profile, revoke tokens at providers, and send due mails. One that waits does not delay the others.
 */
export function createHousekeeping(context: HousekeepingDependencies) {
  const { clients, mongo, logger, metrics, background, now, everyMs = standardEveryMs } = context;
  const leaseOf = context.leaseOf ?? ((job: string) => createLease(mongo, job, leaseMs));
  const repeat = async () => {
    await settle([repeatClientFlags(clients, now), repeatRevocations(context)]);
  };
  const jobs: Readonly<Record<string, (mayGoOn: MayGoOn) => Promise<number | void>>> = {
    'abandoned-registrations': (mayGoOn) => resolveAbandoned(context, mayGoOn),
    'expired-addresses': (mayGoOn) => expireAddresses(context, mayGoOn),
    revocations: repeat,
    'ended-push': () => repeatPushEnds(context),
    'provider-tokens': (mayGoOn) => revokeTokens(context, mayGoOn),
    // Separate from confirmations: their links work for half an hour only.
    'queued-mails': (mayGoOn) => sendDueMails('mails_queued_at', context, mayGoOn),
    confirmations: (mayGoOn) => sendDueMails('mail_due_at', context, mayGoOn),
  };
  let periodic: Periodic[] = [];
  const stopping = new AbortController();
  const mayGoOn: MayGoOn = () => Promise.resolve(!stopping.signal.aborted);
  const rounds = new Set<Promise<unknown>>();
  return {
    start(): void {
      periodic = Object.entries(jobs).map(([name, work]) =>
        startPeriodic({ name, everyMs, lease: leaseOf(name), work, logger, metrics }),
      );
    },
    /** Repeats revocations at once when Redis may have lost some; the periodic job repeats what fails. */
    followFailovers(redis: RedisClient): void {
      repeatAfterLoss({ redis, repeat, background, logger, signal: stopping.signal });
    },
    /** Runs every job once. */
    async round() {
      const round = Promise.all(
        Object.entries(jobs).map(([name, work]) => doRound(name, () => work(mayGoOn), { logger, metrics })),
      );
      rounds.add(round);
      await round;
    },
    async stop() {
      stopping.abort();
      await Promise.all(periodic.map((job) => job.close()));
      await Promise.all(rounds);
    },
  };
}
