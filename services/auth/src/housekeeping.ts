import type { Lease } from '@covalence/events/lease';
import type { Logger } from '@covalence/runtime/logger';
import type { ClaimContext } from './accounts/claims.ts';
import { settleAbandoned } from './accounts/settle-abandoned.ts';
import { sendDueConfirmations } from './email/send-confirmation.ts';
import type { MailContext } from './mail/mail-context.ts';
import type { RefreshTokenStore } from './tokens/refresh-token-store.ts';

/** Work that one process at a time does every minute. */
export interface Housekeeping {
  start(): void;
  /** One round; does nothing while another process holds the lease. */
  round(): Promise<void>;
  stop(): Promise<void>;
}

/** What the housekeeping works on. */
export interface HousekeepingDependencies extends ClaimContext, MailContext {
  readonly lease: Lease;
  readonly refreshTokens: RefreshTokenStore;
  readonly logger: Logger;
}

const intervalMs = 60_000;

/** Creates the housekeeping: settles registrations that nobody finished and deletes refresh tokens that have expired. */
export function createHousekeeping(dependencies: HousekeepingDependencies): Housekeeping {
  const { lease, refreshTokens, logger, now } = dependencies;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;

  const round = async (): Promise<void> => {
    if (!(await lease.hold())) return;
    await settleAbandoned(dependencies, logger);
    await refreshTokens.purge(now());
    await sendDueConfirmations(dependencies);
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
