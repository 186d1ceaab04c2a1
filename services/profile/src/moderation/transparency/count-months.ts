import { hourMs, dayMs } from '@covalence/contract/time';
import { always, type MayGoOn } from '@covalence/events/periodic';
import { moveDecisions } from '../decide.ts';
import type { ModerationContext } from '../moderation.ts';
import type { Count, CountedMonth } from '../store/transparency-store.ts';
import { countSpan } from './count-span.ts';
import { beginOf, monthOf, nextMonth } from './months.ts';
import { summed, total, withoutSmall } from './tally.ts';

/** Length of the period counted in one step: a month after an outage would not fit in memory. */
const stepMs = dayMs;
/** Decisions that are moved to the history at once. */
const movedAtOnce = 100;
/** Until a decision is in the history, and cannot be undone any more. */
const settleMs = 600_000;
/** Milliseconds after a month in which who was active in it is still known. */
const activeKnownMs = dayMs;

/** The measures of a report, in its order. */
const measures = [
  'decisions_by_restriction',
  'decisions_by_basis',
  'decisions_by_reason',
  'decisions_by_source',
  'decisions_by_detection',
  'decisions_taken_back',
  'automated_detections',
  'automated_detections_taken_back',
  'suspensions_for_misuse',
  'reports_received',
  'reports_decided',
  'reports_by_outcome',
  'appeals_received',
  'appeals_decided',
];

/** The member states of the Union, and parts of them that have codes of their own. */
const union =
  'AT AX BE BG CY CZ DE DK EE ES FI FR GF GP GR HR HU IE IT LT LU LV MF MQ MT NL PL PT RE RO SE SI SK YT'.split(
    ' ',
  );

/**
 * Counts the members in the Union active in a month, by site. A later visit replaces an earlier one, so it
 * must run right after the month.
 */
async function activeIn({ clock, moderation, sites }: ModerationContext, month: string): Promise<Count[]> {
  const end = beginOf(nextMonth(month));
  if (clock().getTime() - end.getTime() > activeKnownMs) return [];
  const active = await moderation.search.activeSince(beginOf(month), end, union);
  return [...sites.keys()].map((siteid) => ({
    siteid,
    measure: 'active_recipients_in_union',
    category: total,
    count: active.get(siteid) ?? 0,
  }));
}

/** Moves decisions to the history that an earlier failure has left on their members. False where some are left. */
async function moveLate(context: ModerationContext, until: Date): Promise<boolean> {
  const late = await context.members.store.unlogged(until, movedAtOnce);
  for (const member of late) await moveDecisions(context, member);
  return late.length < movedAtOnce;
}

/** Counts the next day of a month, at most up to a time, and closes the month at its end. False where another process has gone on. */
async function countOn(context: ModerationContext, month: CountedMonth, until: Date): Promise<boolean> {
  const end = beginOf(nextMonth(month._id));
  const up_to = new Date(Math.min(until.getTime(), end.getTime(), month.up_to.getTime() + stepMs));
  const closed = up_to.getTime() === end.getTime();
  const counts = summed([...month.counts, ...(await countSpan(context, month.up_to, up_to))]);
  const kept = closed ? [...withoutSmall(counts), ...(await activeIn(context, month._id))] : counts;
  return context.moderation.transparency.replace(month, { up_to, counts: kept, closed });
}

/**
 * Job: counts what a transparency report needs, each hour once and before its members can be erased. The counts of a month never change
 * after its end. The first month is the one after the first round, because what was before is not known in all.
 */
export async function countMonths(context: ModerationContext, mayGoOn: MayGoOn = always): Promise<void> {
  const { clock, moderation } = context;
  const { transparency } = moderation;
  const until = new Date(Math.floor((clock().getTime() - settleMs) / hourMs) * hourMs);
  while (await mayGoOn()) {
    const newest = await transparency.newest();
    if (!newest || newest.closed) {
      const month = nextMonth(newest?._id ?? monthOf(until));
      await transparency.begin(month, beginOf(month), measures);
      continue;
    }
    if (newest.up_to >= until) return;
    if (!(await moveLate(context, until))) continue;
    if (!(await countOn(context, newest, until))) return;
  }
}
