import { always, type MayGoOn } from '@covalence/events/periodic';
import type { ModerationContext } from '../moderation.ts';
import type { Count, CountedMonth } from '../transparency-store.ts';
import { countSpan } from './count-span.ts';
import { beginOf, monthOf, nextMonth } from './months.ts';
import { summed, total, withoutSmall } from './tally.ts';

const hourMs = 3_600_000;
/** Until a decision is in the history, and cannot be undone any more. */
const settleMs = 600_000;
/** Milliseconds after a month in which who was active in it is still known. */
const activeKnownMs = 24 * hourMs;

/** The member states of the Union. */
const union = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ');

/** How many members in the Union were active in a month, by site. A later visit replaces an earlier one, so it is counted at once. */
async function activeIn({ clock, moderation, sites }: ModerationContext, month: string): Promise<Count[]> {
  if (clock().getTime() - beginOf(nextMonth(month)).getTime() > activeKnownMs) return [];
  const active = await moderation.search.activeSince(beginOf(month), union);
  return [...sites.keys()].map((siteid) => ({
    siteid,
    measure: 'active_recipients_in_union',
    category: total,
    count: active.get(siteid) ?? 0,
  }));
}

/** Counts a month up to a time, and closes it at its end. Undefined where another process has gone on with it. */
async function countOn(
  context: ModerationContext,
  month: CountedMonth,
  until: Date,
): Promise<{ readonly closed: boolean } | undefined> {
  const end = beginOf(nextMonth(month._id));
  const closed = until >= end;
  const up_to = closed ? end : until;
  const counts = summed([...month.counts, ...(await countSpan(context, month.up_to, up_to))]);
  const kept = closed ? [...withoutSmall(counts), ...(await activeIn(context, month._id))] : counts;
  const isOurs = await context.moderation.transparency.replace(month, { up_to, counts: kept, closed });
  return isOurs ? { closed } : undefined;
}

/**
 * Job: counts what a transparency report needs, each hour once and before its members can be erased. The counts of a month never change
 * after its end. The first month is that of the first round.
 */
export async function countMonths(context: ModerationContext, mayGoOn: MayGoOn = always): Promise<void> {
  const { clock, moderation } = context;
  const { transparency } = moderation;
  const until = new Date(Math.floor((clock().getTime() - settleMs) / hourMs) * hourMs);
  while (await mayGoOn()) {
    const newest = await transparency.newest();
    if (!newest || newest.closed) {
      const month = newest ? nextMonth(newest._id) : monthOf(until);
      if (beginOf(month) >= until && newest) return;
      await transparency.begin(month, beginOf(month));
      continue;
    }
    if (newest.up_to >= until) return;
    const counted = await countOn(context, newest, until);
    if (!counted?.closed) return;
  }
}
