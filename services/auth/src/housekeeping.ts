import type { Lease } from '@covalence/events/lease';
import { doRound } from '@covalence/events/periodic';
import type { Logger } from '@covalence/runtime/logger';
import type { Metrics } from '@covalence/runtime/metrics';
import type { ClaimContext } from './accounts/names/claims.ts';
import { expireAddresses } from './accounts/emails/expire-addresses.ts';
import { settleAbandoned } from './registration/resolve-abandoned.ts';
import { sendDueMails } from './mail/send-due-mails.ts';
import type { MailContext } from './mail/mail-context.ts';
import { endedSeconds } from '@covalence/contract/redis-keys';
import type { ClientStore } from './clients/client-store.ts';
import { repeatEnded, type EndContext } from './tokens/families/end-families.ts';

/** Work that one process at a time does every minute. */
export interface Housekeeping {
  start(): void;
  /** One round; does nothing while another process holds the lease. */
  round(): Promise<void>;
  stop(): Promise<void>;
}

/** What the housekeeping works on. */
export interface HousekeepingDependencies extends ClaimContext, MailContext, EndContext {
  readonly lease: Lease;
  readonly clients: ClientStore;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Milliseconds between two rounds; default a minute. */
  readonly everyMs?: number;
}

const standardEveryMs = 60_000;

/**
 * Creates the housekeeping: settles registrations that nobody finished, forgets addresses that have expired, tells admission again of sign-ins that were ended,
 * deletes those that have expired, and sends mails that are due. Each of these goes on while another one cannot, because
 * profile is away, or hangs, because a mail server does.
 */
export function createHousekeeping(dependencies: HousekeepingDependencies): Housekeeping {
  const { lease, families, logger, now, everyMs = standardEveryMs } = dependencies;
  let ended = false;
  /** Work of many parts goes on with the next one while this process runs and holds the lease, which it renews by that. */
  const mayGoOn = async () => !ended && (await lease.hold());
  const parts: Readonly<Record<string, () => Promise<number | void>>> = {
    'abandoned-registrations': () => settleAbandoned(dependencies, logger, mayGoOn),
    'expired-addresses': () => expireAddresses(dependencies, logger, mayGoOn),
    'ended-sign-ins': async () => {
      await repeatEnded(dependencies);
      await families.purge(now(), new Date(now().getTime() - endedSeconds * 1000));
    },
    // Apart, because the links of letters work for half an hour only.
    letters: () => sendDueMails('letters_at', dependencies, mayGoOn),
    confirmations: () => sendDueMails('mail_due_at', dependencies, mayGoOn),
  };
  const underWay = new Map<string, Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let lastRound: Promise<void> | undefined;

  const again = (error: unknown) => logger.warn({ err: error }, 'housekeeping will be tried again');
  const run = ([name, part]: [string, () => Promise<number | void>]): Promise<void> => {
    const running =
      underWay.get(name) ?? doRound(name, part, dependencies).finally(() => underWay.delete(name));
    underWay.set(name, running);
    return running;
  };
  const round = async (): Promise<void> => {
    if (await mayGoOn()) await Promise.all(Object.entries(parts).map(run));
  };

  return {
    round,
    start() {
      timer = setInterval(() => {
        lastRound = round().catch(again);
      }, everyMs);
    },
    async stop() {
      ended = true;
      clearInterval(timer);
      await lastRound;
      await Promise.all(underWay.values());
      if (timer) await lease.release();
    },
  };
}
