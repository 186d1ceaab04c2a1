import { invalidArgument } from '@covalence/contract/failure';
import { booleanParameter, pagesize, wholeNumber } from '@covalence/contract/parameters';
import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { madeOfEach } from '../members/made-of-each.ts';
import { pageOf } from '../members/page.ts';
import { memberEntry, reportEntry } from './entry.ts';
import { cursorOf, placeOf, type QueuePage } from './decisions/page.ts';
import type { OpenReport } from './reports/report-store.ts';
import { waitingKinds, type WaitingKind } from '../members/document/waiting-kinds.ts';

const seconds = wholeNumber.pipe(z.int().nonnegative().max(1_000_000_000));

const input = z.object({
  kind: z.enum([...waitingKinds, 'report']),
  siteid: wholeNumber.pipe(z.int().positive()).optional(),
  /** Entries that wait for so many seconds or longer, and for so many or less. */
  older_than: seconds.optional(),
  newer_than: seconds.optional(),
  flagged: booleanParameter.optional(),
  cursor: z.string().max(100).optional(),
  pagesize,
});

type Asked = z.output<typeof input>;

const before = (now: Date, seconds: number) => new Date(now.getTime() - seconds * 1000);

/** The ids of entries; undefined for one of the other kind. */
const memberId = (text: string) => (text.includes(':') ? undefined : Number(text));
const reportId = (text: string) => (text.includes(':') ? text : undefined);

function queuePage<Id>(
  { siteid, older_than, newer_than, cursor, pagesize }: Asked,
  now: Date,
  idOf: (text: string) => Id | undefined,
) {
  const place = cursor === undefined ? undefined : placeOf(cursor);
  const id = place && idOf(place.id);
  if (cursor !== undefined && id === undefined) throw invalidArgument();
  return {
    // One more than shown says whether there is another page.
    limit: pagesize + 1,
    ...(siteid !== undefined && { siteid }),
    ...(older_than !== undefined && { until: before(now, older_than) }),
    ...(newer_than !== undefined && { from: before(now, newer_than) }),
    ...(place && id !== undefined && { after: { since: place.since, id } }),
  } satisfies QueuePage<Id>;
}

async function waitingMembers(kind: WaitingKind, asked: Asked, context: Context) {
  const { flagged, pagesize } = asked;
  const page = queuePage(asked, context.clock(), memberId);
  const found = await context.queue.page(kind, { ...page, ...(flagged !== undefined && { flagged }) });
  const { entries, next } = pageOf(found, pagesize, ({ _id, waiting, joined }) =>
    cursorOf({ since: waiting?.[kind] ?? joined, id: _id }),
  );
  return {
    entries: madeOfEach(entries, (member) => memberEntry(kind, member, context), context.logger).made,
    next,
  };
}

async function openReports(asked: Asked, context: Context) {
  // Reports are written by others: there is no text of the member in them to be flagged.
  if (asked.flagged !== undefined) throw invalidArgument();
  const found = await context.reports.page(queuePage(asked, context.clock(), reportId));
  const { entries, next } = pageOf(found, asked.pagesize, ({ _id, open_at }) =>
    cursorOf({ since: open_at, id: _id }),
  );
  const members = await context.members.byIds([...new Set(entries.map(({ reported }) => reported))]);
  const entryOf = (report: OpenReport) =>
    madeOfEach(
      members.filter(({ _id }) => _id === report.reported),
      (member) => reportEntry(report, member, context),
      context.logger,
    ).made;
  return { entries: entries.flatMap(entryOf), next };
}

/** GET /staff/queue?kind=profile|text|photo|report: what waits for Customer Service, oldest first, page by page. */
export const queue = endpoint({
  access: 'staff',
  summary: 'What waits for Customer Service',
  input,
  output: z.object({
    entries: z.array(z.looseObject({ kind: z.string(), id: z.int(), since: z.iso.datetime() })),
    next: z.string().nullable(),
  }),
  handler: ({ input: asked }, context: Context) =>
    asked.kind === 'report' ? openReports(asked, context) : waitingMembers(asked.kind, asked, context),
});
