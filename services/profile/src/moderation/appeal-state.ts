import { appealDays, type AppealState } from '@covalence/contract/peers/appeals-api';
import { dayMs } from '@covalence/contract/time';
import type { Appeal } from './store/appeal-store.ts';
import type { Report } from './store/report-store.ts';

/** Until when a decision can be appealed. */
export const appealableUntil = ({ at }: { readonly at: Date }): Date =>
  new Date(at.getTime() + appealDays * dayMs);

/** Whether a decision can be appealed, and what became of it. */
export function appealStateOf(
  decision: { readonly at: Date },
  appeal: Appeal | undefined,
  { isReversed, now }: { readonly isReversed: boolean; readonly now: Date },
): AppealState {
  if (appeal) return appeal.decided?.outcome ?? 'waiting';
  return isReversed || appealableUntil(decision) <= now ? 'ended' : 'open';
}

/** Whether the closing of a report is the last one, and stands. */
export const isClosedAs = (report: Report | undefined, closing: string): report is Report =>
  report?.closed_as === closing && report.open_at === undefined;

/** Whether the reporter can appeal that staff closed a report without measures, and what became of it. */
export function closingStateOf(
  report: Report | undefined,
  closing: string,
  appeal: Appeal | undefined,
  now: Date,
): AppealState {
  const decided = isClosedAs(report, closing) ? report.decided : undefined;
  const isReversed = decided?.outcome !== 'none';
  return appealStateOf({ at: decided?.at ?? now }, appeal, { isReversed, now });
}
