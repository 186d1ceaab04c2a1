import { createConsumer } from '@covalence/events/consumer';
import { createLease } from '@covalence/events/lease';
import { noLease, startPeriodic, type PeriodicOptions } from '@covalence/events/periodic';
import type { Context } from './context.ts';
import { runApprovals } from './moderation/approvals/run-approval.ts';
import { endRetention } from './moderation/end-retention.ts';
import { endWarnings } from './moderation/end-warnings.ts';
import { examineMessages } from './moderation/signals/examine-messages.ts';
import { settleFlags } from './moderation/signals/settle-flags.ts';
import { warnOfFraud } from './moderation/warn-of-fraud.ts';
import { countMonths } from './moderation/transparency/count-months.ts';
import { measureQueue } from './moderation/queue/measure-queue.ts';
import { tellDecisions } from './moderation/tell-decisions.ts';
import { onMembershipChanged } from './members/member-state.ts';
import { copyPresence } from './members/copy-presence.ts';
import { eraseMembers } from './privacy/erase-member.ts';
import { sendDigests } from './messages/send-digests.ts';
import { releaseMessages } from './messages/release-messages.ts';
import { settleMessages } from './messages/send-message.ts';
import { countAnswerRates } from './pairs/count-answer-rates.ts';
import { repeatFlags } from './members/flag-admission.ts';
import { purgeLeftPhotos } from './photos/purge-photos.ts';

/** The consumers, relays and jobs of this service while it runs. */
export interface Background {
  close(): Promise<void>;
}

/** Starts the consumers, relays and jobs. */
export function startBackground(context: Context): Background {
  const { broker, connection, logger, metrics, members, pairs, messages } = context;
  for (const { store } of [members, pairs, messages]) store.outbox.startRelay();
  const memberships = createConsumer(broker, {
    queue: 'profile.memberships',
    handle: (events) => onMembershipChanged(context, events),
    batch: { size: 50, waitMs: 0 },
    logger,
    metrics,
  });
  const job = (name: string, everyMs: number, work: PeriodicOptions['work']) =>
    startPeriodic({
      name,
      everyMs,
      work,
      logger,
      metrics,
      lease: createLease(connection, name, 3 * everyMs),
    });
  const jobs = [
    job('presence-copy', 30_000, (mayGoOn) => copyPresence(context, mayGoOn)),
    job('deactivated-flags', 5_000, () => repeatFlags(context)),
    job('photo-purge', 60_000, (mayGoOn) => purgeLeftPhotos(context, mayGoOn)),
    job('members-erased', context.config.ERASURE_POLL_MS, (mayGoOn) => eraseMembers(context, mayGoOn)),
    job('answer-rates', 300_000, (mayGoOn) => countAnswerRates(context, mayGoOn)),
    job('digests', 60_000, (mayGoOn) => sendDigests(context, mayGoOn)),
    job('retention', 600_000, (mayGoOn) => endRetention(context, mayGoOn)),
    job('fraud-warnings', 60_000, (mayGoOn) => warnOfFraud(context, mayGoOn)),
    job('fraud-warnings-ended', 60_000, (mayGoOn) => endWarnings(context, mayGoOn)),
    job('messages-examined', 15_000, (mayGoOn) => examineMessages(context, mayGoOn)),
    job('scam-flags-settled', 60_000, (mayGoOn) => settleFlags(context, mayGoOn)),
    job('transparency', 600_000, (mayGoOn) => countMonths(context, mayGoOn)),
    job('decisions-told', 10_000, (mayGoOn) => tellDecisions(context, mayGoOn)),
    job('approvals-run', 30_000, (mayGoOn) => runApprovals(context, mayGoOn)),
    job('messages-released', 10_000, (mayGoOn) => releaseMessages(context, mayGoOn)),
    job('messages-settled', 5_000, (mayGoOn) => settleMessages(context, mayGoOn)),
    startPeriodic({
      name: 'staff-queue-measured',
      everyMs: 60_000,
      work: () => measureQueue(context),
      logger,
      metrics,
      lease: noLease,
    }),
  ];
  return {
    async close() {
      await Promise.all([memberships.close(), ...jobs.map((each) => each.close())]);
    },
  };
}
