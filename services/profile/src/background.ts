import { createConsumer } from '@covalence/events/consumer';
import { startJobs } from '@covalence/events/periodic';
import type { Background } from '@covalence/runtime/lifecycle';
import type { Context } from './context.ts';
import { runAppeals } from './moderation/appeals/reverse-decision.ts';
import { runApprovals } from './moderation/approvals/run-approval.ts';
import { runUnbans } from './moderation/decisions/ban-member.ts';
import { endProposals } from './moderation/strikes.ts';
import { endRetention } from './moderation/end-retention.ts';
import { endWarnings, warnOfFraud } from './moderation/notifications/warn-of-fraud.ts';
import { examineMessages } from './moderation/signals/examine-messages.ts';
import { settleFlags } from './moderation/signals/settle-flags.ts';
import { countMonths } from './moderation/transparency/count-months.ts';
import { measureQueue } from './moderation/queue/measure-queue.ts';
import { notifyDecisions } from './moderation/notifications/notify-decisions.ts';
import { onMembershipChanged } from './members/member-state.ts';
import { copyPresence } from './members/copy-presence.ts';
import { eraseMembers } from './privacy/erase-member.ts';
import { sendDigests } from './messages/send-digests.ts';
import { releaseMessages } from './messages/release-messages.ts';
import { settleMessages } from './messages/send-message.ts';
import { countAnswerRates } from './pairs/count-answer-rates.ts';
import { repeatFlags } from './members/flag-admission.ts';
import { purgeLeftPhotos } from './photos/purge-photos.ts';

/** Starts the consumers, relays and jobs. */
export function startBackground(context: Context): Background {
  const { broker, config, logger, metrics, members, pairs, messages } = context;
  for (const { store } of [members, pairs, messages]) store.outbox.startRelay();
  const memberships = createConsumer(broker, {
    queue: 'profile.memberships',
    handle: (events) => onMembershipChanged(context, events),
    batch: { size: 50, waitMs: 0 },
    logger,
    metrics,
  });
  const jobs = startJobs(context, {
    'presence-copy': { everyMs: 30_000, work: (mayGoOn) => copyPresence(context, mayGoOn) },
    'deactivated-flags': { everyMs: 5_000, work: () => repeatFlags(context) },
    'photo-purge': { everyMs: 60_000, work: (mayGoOn) => purgeLeftPhotos(context, mayGoOn) },
    'members-erased': { everyMs: config.ERASURE_POLL_MS, work: (mayGoOn) => eraseMembers(context, mayGoOn) },
    'answer-rates': { everyMs: 300_000, work: (mayGoOn) => countAnswerRates(context, mayGoOn) },
    digests: { everyMs: 60_000, work: (mayGoOn) => sendDigests(context, mayGoOn) },
    retention: { everyMs: 600_000, work: (mayGoOn) => endRetention(context, mayGoOn) },
    'fraud-warnings': { everyMs: 60_000, work: (mayGoOn) => warnOfFraud(context, mayGoOn) },
    'fraud-warnings-ended': { everyMs: 60_000, work: (mayGoOn) => endWarnings(context, mayGoOn) },
    'messages-examined': { everyMs: 15_000, work: (mayGoOn) => examineMessages(context, mayGoOn) },
    'proposals-ended': { everyMs: 600_000, work: (mayGoOn) => endProposals(context, mayGoOn) },
    'scam-flags-settled': { everyMs: 60_000, work: (mayGoOn) => settleFlags(context, mayGoOn) },
    transparency: { everyMs: 600_000, work: (mayGoOn) => countMonths(context, mayGoOn) },
    'decisions-told': { everyMs: 10_000, work: (mayGoOn) => notifyDecisions(context, mayGoOn) },
    'appeals-run': { everyMs: 30_000, work: (mayGoOn) => runAppeals(context, mayGoOn) },
    'approvals-run': { everyMs: 30_000, work: (mayGoOn) => runApprovals(context, mayGoOn) },
    'unbans-run': { everyMs: 30_000, work: (mayGoOn) => runUnbans(context, mayGoOn) },
    'messages-released': { everyMs: 10_000, work: (mayGoOn) => releaseMessages(context, mayGoOn) },
    'messages-settled': { everyMs: 5_000, work: (mayGoOn) => settleMessages(context, mayGoOn) },
    // Each process has its own metrics.
    'staff-queue-measured': { everyMs: 60_000, everyProcess: true, work: () => measureQueue(context) },
  });
  return {
    async close() {
      await Promise.all([memberships, jobs].map((each) => each.close()));
    },
  };
}
