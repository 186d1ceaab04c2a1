import { restrictions } from '@covalence/contract/peers/decisions-api';
import { entryKinds } from './queue.ts';
import type { ModerationContext } from '../moderation.ts';
import type { SiteSummary } from '../store/queue-store.ts';
import { summariesOf } from './summary.ts';

/** Decisions that a thief of a staff account would make in numbers, counted in ten minutes. */
const watched = [...restrictions, 'unban', 'unsuspend', 'undelete'] as const;
const watchedMs = 10 * 60_000;

/** Job of every process: measures how long entries wait for staff, how many are claimed, and how many members one of the staff restricts. */
export async function measureQueue(context: ModerationContext): Promise<void> {
  const { moderation, metrics, sites, clock } = context;
  const now = clock();
  const siteids = [...sites.keys()];
  const waiting: Readonly<Record<string, Promise<readonly SiteSummary[]>>> = {
    ...Object.fromEntries(entryKinds.map((kind) => [kind, summariesOf(kind, siteids, context)])),
    appeal: moderation.appeals.summary(siteids),
    approval: moderation.approvals.summary(siteids, now),
  };
  for (const [kind, summaries] of Object.entries(waiting)) {
    const oldest = new Map((await summaries).map((found) => [found.siteid, found.oldest.getTime()]));
    for (const siteid of siteids) {
      const seconds = (now.getTime() - (oldest.get(siteid) ?? now.getTime())) / 1000;
      metrics.staffWaiting.set({ kind, siteid }, Math.max(0, seconds));
    }
  }
  const claims = await moderation.claims.live(entryKinds, now);
  for (const kind of entryKinds)
    metrics.staffClaims.set({ kind }, claims.filter((claim) => claim.kind === kind).length);
  const since = new Date(now.getTime() - watchedMs);
  metrics.staffRestrictionsMost.set(await moderation.decisions.mostOfOneSince(since, watched));
}
