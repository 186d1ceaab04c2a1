import { invalidArgument } from '@covalence/contract/failure';
import { booleanParameter, pagesize, wholeNumber } from '@covalence/contract/parameters';
import type { StaffSites } from '@covalence/contract/staff-roles';
import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import type { ModerationContext } from '../moderation.ts';
import { mapMembers } from '../../members/members.ts';
import { encodeCursor, pageOf, timeCursorParameter } from '../../members/page.ts';
import { claimShown, entrySchema, memberEntry, reportEntry } from '../views/entry.ts';
import { queueOrders, type QueuePage } from '../store/queue-store.ts';
import { isUrgent, reportCategories, type OpenReport } from '../store/report-store.ts';
import { entryMembers, oneSite, sitesOf } from '../staff-call.ts';
import { usernamesOf } from '../usernames.ts';
import { waitingKinds, type WaitingKind } from '../../members/document/account-status.ts';
import type { Member } from '../../members/document/member.ts';

/** The kinds of entries. */
export const entryKinds = [...waitingKinds, 'report'] as const;

const seconds = (description: string) =>
  wholeNumber
    .pipe(z.int().nonnegative().max(1_000_000_000))
    .optional()
    .meta({ type: 'integer', minimum: 0, maximum: 1_000_000_000, description });

/** The parameters that choose and order entries, of the list and of the next claim. Reports have one order. */
export const queueFilters = z.object({
  kind: z.enum(entryKinds).meta({ description: 'What waits.' }),
  siteid: oneSite,
  older_than: seconds('Minimum waiting time in seconds.'),
  newer_than: seconds('Maximum waiting time in seconds.'),
  flagged: booleanParameter.optional().meta({
    type: 'boolean',
    description:
      '`true`: only entries with contact data in a text, a match of the ban list or signals of a scam; `false`: only others.',
  }),
  category: z.enum(reportCategories).optional().meta({ description: 'Reports of one category only.' }),
  sort: z.enum(queueOrders).default('age').meta({
    default: 'age',
    description:
      '`age`: the oldest first; `risk`: the flagged ones first, then the others, each oldest first.',
  }),
});

const input = queueFilters.extend({ cursor: timeCursorParameter, pagesize });

type QueueInput = z.output<typeof input>;

/** The times since when the wanted entries wait. */
export function waitedFor(
  { older_than, newer_than }: Pick<QueueInput, 'older_than' | 'newer_than'>,
  now: Date,
): Pick<QueuePage<never>, 'from' | 'until'> {
  const before = (seconds: number) => new Date(now.getTime() - seconds * 1000);
  return {
    ...(older_than !== undefined && { until: before(older_than) }),
    ...(newer_than !== undefined && { from: before(newer_than) }),
  };
}

/** The id in a cursor's key; undefined for a cursor of the other kind. */
const memberId = (key: string) => (key.includes(':') ? undefined : Number(key));
const reportId = (key: string) => (key.includes(':') ? key : undefined);

function queuePage<Id extends string | number>(
  { siteid, cursor, pagesize, ...filters }: QueueInput,
  sites: StaffSites,
  context: ModerationContext,
  idOf: (key: string) => Id | undefined,
) {
  const key = cursor && idOf(cursor.key);
  if (cursor && key === undefined) throw invalidArgument();
  return {
    // One more than the page shows whether there is another page.
    limit: pagesize + 1,
    siteids: sitesOf(siteid, sites, context),
    ...waitedFor(filters, context.clock()),
    ...(cursor && key !== undefined && { after: { ...cursor, key } }),
  } satisfies QueuePage<Id>;
}

async function waitingMembers(
  kind: WaitingKind,
  input: QueueInput,
  sites: StaffSites,
  context: ModerationContext,
) {
  const { flagged, sort, pagesize } = input;
  if (input.category) throw invalidArgument();
  const page = queuePage(input, sites, context, memberId);
  const wanted = { ...page, sort, ...(flagged !== undefined && { flagged }) };
  const found = await context.moderation.queue.page(kind, wanted);
  const { entries, next } = pageOf(found, pagesize, ({ _id, waiting, joined }) =>
    encodeCursor({
      at: waiting?.[kind] ?? joined,
      key: _id,
      first: sort === 'risk' && waiting?.flagged === true,
    }),
  );
  const entryOf = (member: Member) => memberEntry(kind, member, context);
  return { entries: mapMembers(entries, entryOf, context.logger).results, next };
}

async function openReports(input: QueueInput, sites: StaffSites, context: ModerationContext) {
  // A report holds no text of the reported member that could be flagged.
  if (input.flagged !== undefined) throw invalidArgument();
  const page = { ...queuePage(input, sites, context, reportId), category: input.category };
  const found = await context.moderation.reports.page(page);
  const { entries, next } = pageOf(found, input.pagesize, (report) =>
    encodeCursor({ at: report.open_at, key: report._id, first: isUrgent(report) }),
  );
  const reporters = entries.map(({ reporter }) => reporter);
  const [members, nameOf] = await Promise.all([
    context.members.store.byIds([...new Set(entries.map(({ reported }) => reported))]),
    usernamesOf(context, reporters, sites),
  ]);
  const entryOf = (report: OpenReport) => {
    const about = members.filter(({ _id }) => _id === report.reported);
    return mapMembers(about, (member) => reportEntry(report, member, nameOf, context), context.logger)
      .results;
  };
  return { entries: entries.flatMap(entryOf), next };
}

/** The key of an entry in a claim. */
const keyOf = ({ id, report_id }: { readonly id: number; readonly report_id?: string }) => report_id ?? id;

/** GET /staff/queue?kind=profile|text|photo|report */
export const queue = endpoint({
  access: 'staff',
  staff: { roles: ['moderator'], site: 'several', shows: ({ entries }) => entryMembers(entries) },
  operationId: 'listStaffQueue',
  summary: 'List what waits for review',
  description:
    'Oldest first by default, of the sites of the role; of the reports, `underage` and `scam` come before the others. Each entry has the content to decide on, and a `revision` that identifies it. `flagged` with reports, and `category` with others, is 403 without code.',
  answer: 'A page of the queue.',
  example: { request: { kind: 'text' } },
  input,
  output: z.object({ entries: z.array(entrySchema), next: z.string().nullable() }).meta({ id: 'StaffQueue' }),
  async handler({ input, sites }, context: ModerationContext) {
    const [page, claims] = await Promise.all([
      input.kind === 'report'
        ? openReports(input, sites, context)
        : waitingMembers(input.kind, input, sites, context),
      context.moderation.claims.live([input.kind], context.clock()),
    ]);
    const claimOf = new Map(claims.map((claim) => [claim.key, claim]));
    return {
      ...page,
      entries: page.entries.map((entry) => ({ ...entry, ...claimShown(claimOf.get(keyOf(entry))) })),
    };
  },
});
