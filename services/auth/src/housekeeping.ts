import type { Lease } from '@covalence/events/lease';
import type { Logger } from '@covalence/runtime/logger';
import type { ClaimContext } from './accounts/claims.ts';
import { settleAbandoned } from './accounts/settle-abandoned.ts';
import { sendDueConfirmations } from './email/send-confirmation.ts';
import { sendDueLetters } from './mail/letters.ts';
import type { MailContext } from './mail/mail-context.ts';
import { endedSeconds } from '@covalence/contract/redis-keys';
import type { ClientStore } from './clients/client-store.ts';
import { repeatEnded, type EndContext } from './families/end-families.ts';

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
}

const intervalMs = 60_000;

/** Creates the housekeeping: settles registrations that nobody finished, tells
 * admission again of sign-ins that were ended, deletes those that have expired, and sends mails that are due. */
export function createHousekeeping(dependencies: HousekeepingDependencies): Housekeeping {
  const { lease, families, logger, now } = dependencies;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;

  const round = async (): Promise<void> => {
    if (!(await lease.hold())) return;
    await settleAbandoned(dependencies, logger);
    await repeatEnded(dependencies);
    await families.purge(now(), new Date(now().getTime() - endedSeconds * 1000));
    await sendDueConfirmations(dependencies);
    await sendDueLetters(dependencies);
  };
  const tick = () => {
    running ??= round()
      .catch((error: unknown) => logger.warn({ err: error }, 'housekeeping will be tried again'))
      .finally(() => (running = undefined));
  };

  return {
    round,
    start() {
      timer = setInterval(tick, intervalMs);
    },
    async stop() {
      clearInterval(timer);
      await running;
      if (timer) await lease.release();
    },
  };
}
