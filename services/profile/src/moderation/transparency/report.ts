import { notFound } from '@covalence/contract/failure';
import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import type { ModerationContext } from '../moderation.ts';
import { oneSite, sitesOf } from '../staff-call.ts';
import type { Count, CountedMonth } from '../store/transparency-store.ts';
import { monthPattern, monthsBetween } from './months.ts';
import { medianOf, summed, total } from './tally.ts';

const active = 'active_recipients_in_union';

const mostMonths = 36;

const rowSchema = z
  .strictObject({
    measure: z.string().meta({ examples: ['decisions_by_reason'] }),
    category: z.string().meta({ examples: ['scam'], description: '`total` is all of the measure.' }),
    count: z.int().nullable(),
    median_hours: z
      .number()
      .nullable()
      .meta({ description: 'From the notice or appeal until the decision.' }),
  })
  .meta({ id: 'TransparencyRow' });

type Row = z.output<typeof rowSchema>;

const compare = (one: string, other: string) => (one < other ? -1 : 1);

/** The rows of a measure: all of it, then its categories by name. */
function rowsOf(measure: string, counts: readonly Count[]): Row[] {
  const found = summed(
    counts.filter((each) => each.measure === measure).map((each) => ({ ...each, siteid: 0 })),
  );
  const row = (category: string): Row => {
    const { count, hours } = found.find((each) => each.category === category) ?? { count: 0 };
    return { measure, category, count, median_hours: medianOf({ count, hours }) ?? null };
  };
  const others = found.map(({ category }) => category).filter((category) => category !== total);
  return [total, ...others.sort(compare)].map(row);
}

/** Active members by month, and their average; null for a month that was counted too late to know. */
function activeRows(months: readonly CountedMonth[], isOn: (siteid: number) => boolean): Row[] {
  const counted = months.map(({ _id, counts }) => {
    const known = counts.filter(({ measure, siteid }) => measure === active && isOn(siteid));
    const count = known.length ? known.reduce((sum, each) => sum + each.count, 0) : null;
    return { category: _id, count };
  });
  const sum = counted.reduce<number | null>(
    (all, { count }) => (all === null || count === null ? null : all + count),
    0,
  );
  const average = { category: 'average', count: sum === null ? null : Math.round(sum / months.length) };
  return [average, ...counted].map((each) => ({ measure: active, ...each, median_hours: null }));
}

const csvOf = (from: string, to: string, rows: readonly Row[]): string =>
  [
    'from,to,measure,category,count,median_hours',
    ...rows.map(({ measure, category, count, median_hours }) =>
      [from, to, measure, category, count ?? '', median_hours ?? ''].join(','),
    ),
  ].join('\n') + '\n';

// Aborts, because the check of the period needs months.
const month = z.string().regex(monthPattern, { abort: true });

/** GET /staff/transparency */
export const transparencyReport = endpoint({
  access: 'staff',
  staff: { roles: ['moderator', 'operator'], site: 'several' },
  operationId: 'getStaffTransparencyReport',
  summary: 'Count the moderation of a period',
  description:
    'For the transparency reports of the Digital Services Act: what was decided, reported and appealed in some months, of the sites of the role. The same period always gives the same answer. `withheld` is what a site had too few cases of in a month to tell apart, and `median_hours` is null then. 404 where a month is not over, or was not counted.',
  answer: 'The counts.',
  example: { request: { from: '2026-07', to: '2026-12', format: 'csv' } },
  statuses: [404],
  input: z
    .object({
      from: month.meta({ description: 'The first month.' }),
      to: month.meta({ description: `The last month; at most ${mostMonths} in all.` }),
      siteid: oneSite,
      format: z.enum(['json', 'csv']).default('json').meta({ description: '`csv` adds a file of the rows.' }),
    })
    .refine(({ from, to }) => from <= to && monthsBetween(from, to, mostMonths).at(-1) === to),
  output: z
    .object({
      from: z.string().meta({ examples: ['2026-07'] }),
      to: z.string().meta({ examples: ['2026-12'] }),
      siteids: z.array(z.int()),
      rows: z.array(rowSchema),
      csv: z
        .string()
        .optional()
        .meta({ examples: ['from,to,measure,category,count,median_hours\n'] }),
    })
    .meta({ id: 'TransparencyReport' }),
  handler: async ({ input: { from, to, siteid, format }, sites }, context: ModerationContext) => {
    const months = await context.moderation.transparency.closed(from, to);
    if (months.length < monthsBetween(from, to, mostMonths).length) throw notFound();
    const all = months.flatMap(({ counts }) => counts);
    // A site that the configuration does not have any more is in the reports of its time.
    const counted = [...new Set(all.map((each) => each.siteid))];
    const chosen = siteid === undefined && sites === 'all' ? counted : sitesOf(siteid, sites, context);
    const isOn = (site: number) => chosen.includes(site);
    const counts = all.filter((each) => isOn(each.siteid));
    // A measure added by a later version is unknown, not zero, in earlier months.
    const measures = months[0]?.measures.filter((each) => months.every((one) => one.measures.includes(each)));
    const rows = [
      ...(measures ?? []).flatMap((measure) => rowsOf(measure, counts)),
      ...activeRows(months, isOn),
    ];
    const siteids = [...chosen].sort((one, other) => one - other);
    return { from, to, siteids, rows, csv: format === 'csv' ? csvOf(from, to, rows) : undefined };
  },
});
