import { forbidden, invalidArgument, notFound, tooManyRequests } from '@covalence/contract/failure';
import { booleanParameter } from '@covalence/contract/parameters';
import { coversSite, sitesWith, type StaffSites } from '@covalence/contract/staff-roles';
import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import { findMember, mapMembers } from '../../members/members.ts';
import type { Member } from '../../members/document/member.ts';
import type { WaitingKind } from '../../members/document/account-status.ts';
import {
  memberEntryName,
  reportEntryName,
  type Claim,
  type EntryKind,
  type EntryName,
} from '../store/claim-store.ts';
import { claimed, claimTimes } from '../hold-claim.ts';
import type { ModerationContext } from '../moderation.ts';
import type { OpenReport, Report } from '../store/report-store.ts';
import { entryIds, entryMembers, numberOf, sitesOf } from '../staff-call.ts';
import { claimShown, entrySchema, memberEntry, reportEntry } from '../views/entry.ts';
import { usernamesOf } from '../usernames.ts';
import { queueFilters, waitedFor } from './queue.ts';

/** Claims of one staff account at a time: a page that is decided in bulk, and some more. */
const mostClaims = 60;
/** Entries that are read at once, of which others may claim some meanwhile. */
const readAtOnce = 10;

/** An entry with its content. */
interface Waiting {
  readonly name: EntryName;
  readonly content: ReturnType<typeof memberEntry> | ReturnType<typeof reportEntry>;
}

const isWaiting = (kind: WaitingKind, member: Member) => member.waiting?.[kind] !== undefined;
const isOpen = (report: Report): report is OpenReport => report.open_at !== undefined;

/** An entry; undefined where the member is broken, who is logged. */
function entryOf(
  { logger }: ModerationContext,
  name: EntryName,
  member: Member,
  contentOf: () => Waiting['content'],
): Waiting | undefined {
  const [content] = mapMembers([member], contentOf, logger).results;
  return content && { name, content };
}

async function waitingMember(
  kind: WaitingKind,
  id: unknown,
  context: ModerationContext,
): Promise<Waiting | undefined> {
  const member = await findMember(context, id);
  if (!member || !isWaiting(kind, member)) return undefined;
  return entryOf(context, memberEntryName(kind, member), member, () => memberEntry(kind, member, context));
}

async function waitingReport(
  id: unknown,
  sites: StaffSites,
  context: ModerationContext,
): Promise<Waiting | undefined> {
  const report = await context.moderation.reports.find(String(id));
  if (!report || !isOpen(report)) return undefined;
  const member = await context.members.store.byId(report.reported);
  if (!member) return undefined;
  const nameOf = await usernamesOf(context, [report.reporter], sites);
  return entryOf(context, reportEntryName(report), member, () =>
    reportEntry(report, member, nameOf, context),
  );
}

/** An entry that waits, as it is now; undefined where it does not wait any more. */
const waiting = (
  kind: EntryKind,
  id: unknown,
  sites: StaffSites,
  context: ModerationContext,
): Promise<Waiting | undefined> =>
  kind === 'report' ? waitingReport(id, sites, context) : waitingMember(kind, id, context);

interface Wanted extends Omit<z.output<typeof queueFilters>, 'siteid'> {
  readonly siteids: readonly number[];
}

/** The first entries that nobody has claimed, without some. */
async function unclaimed(
  { kind, siteids, flagged, category, sort, ...waited }: Wanted,
  tried: readonly EntryName['key'][],
  context: ModerationContext,
): Promise<EntryName[]> {
  const { queue, reports, claims } = context.moderation;
  const live = await claims.live([kind], context.clock());
  const keys = [...live.map(({ key }) => key), ...tried];
  const page = { siteids, limit: readAtOnce, ...waitedFor(waited, context.clock()) };
  if (kind === 'report') {
    const open = await reports.page({ ...page, category, except: keys.map(String) });
    return open.map(reportEntryName);
  }
  const found = await queue.page(kind, {
    ...page,
    sort,
    except: keys.map(Number),
    ...(flagged !== undefined && { flagged }),
  });
  return found.map((member) => memberEntryName(kind, member));
}

/** Claims the first entry that nobody has claimed. Tries each once. */
async function claimNext(wanted: Wanted, staff: string, sites: StaffSites, context: ModerationContext) {
  const { claims } = context.moderation;
  const tried: EntryName['key'][] = [];
  for (;;) {
    const names = await unclaimed(wanted, tried, context);
    if (!names.length) return undefined;
    for (const name of names) {
      tried.push(name.key);
      const { now, until } = claimTimes(context);
      if (!(await claims.takeFree({ ...name, staff, until }, now))) continue;
      // Somebody may have decided it between the look at the queue and the claim.
      const found = await waiting(wanted.kind, name.key, sites, context);
      if (found) return { content: found.content, claim: { ...name, staff, until } };
      await claims.end(name, staff);
    }
  }
}

/** Ends a claim again and throws 429 where its account has too many. After the claim, so that parallel calls do not pass together. */
async function requireFew({ moderation: { claims } }: ModerationContext, claim: Claim, now: Date) {
  const own = await claims.of(claim.staff, now);
  if (own.length <= mostClaims) return;
  await claims.end(claim, claim.staff);
  const first = own.find(({ kind, key }) => kind !== claim.kind || key !== claim.key) ?? claim;
  throw tooManyRequests((first.until.getTime() - now.getTime()) / 1_000);
}

/** Characters of an id, more than the name of a report has. */
const mostOfId = 50;

const input = queueFilters.extend({
  id: z
    .union([z.int(), z.string().max(mostOfId)])
    .optional()
    .meta({ type: 'string', description: 'One entry: the member, or the report; the next one by default.' }),
  take_over: booleanParameter
    .default(false)
    .meta({ type: 'boolean', default: false, description: 'Also one that somebody else has; `admin` only.' }),
});

/** POST /staff/queue/claim */
export const claimEntry = endpoint({
  access: 'staff',
  staff: {
    roles: ['moderator'],
    site: 'several',
    about: ({ id }) => entryIds(id),
    shows: ({ entry }) => entryMembers(entry ? [entry] : []),
  },
  operationId: 'claimStaffQueueEntry',
  summary: 'Claim an entry of the queue',
  description:
    'Gives the caller the entry that nobody has claimed and that is the first of GET /staff/queue with these filters; nobody else gets it, or may decide on it, for five minutes. The own claims are left out, too, so that the next call gives the next entry. With `id` it claims this entry, or extends the own claim; it is 404 where the entry does not wait, and 409 where somebody else has it. Looking at the member and deciding on a part of the entry extend the claim, the decision ends it. One account has up to 60 claims, also by `id`; then 429.',
  answer: 'The entry; null where nothing is left.',
  example: { request: { kind: 'text' } },
  statuses: [404, 409],
  input,
  output: z.object({ entry: entrySchema.nullable() }).meta({ id: 'StaffClaimedEntry' }),
  handler: async (
    { input: { id, siteid, take_over, ...filters }, caller, sites },
    context: ModerationContext,
  ) => {
    const { claims } = context.moderation;
    const { kind } = filters;
    const staff = caller.memberId;
    const { now, until } = claimTimes(context);
    if (id === undefined) {
      if (kind === 'report' ? filters.flagged !== undefined : filters.category) throw invalidArgument();
      const wanted = { ...filters, siteids: sitesOf(siteid, sites, context) };
      const next = await claimNext(wanted, staff, sites, context);
      if (!next) return { entry: null };
      await requireFew(context, next.claim, now);
      return { entry: { ...next.content, ...claimShown(next.claim) } };
    }
    const found = await waiting(kind, id, sites, context);
    if (!found || !coversSite(sites, found.name.siteid)) throw notFound();
    const { name, content } = found;
    const claim = { ...name, staff, until };
    if (take_over) {
      if (!coversSite(sitesWith(caller.roles, []), name.siteid)) throw forbidden();
      await claims.takeOver(claim);
    } else if (!(await claims.take(claim, now))) throw claimed();
    await requireFew(context, claim, now);
    return { entry: { ...content, ...claimShown(claim) } };
  },
});

/** POST /staff/queue/release */
export const releaseEntry = endpoint({
  access: 'staff',
  staff: { roles: ['moderator'], site: 'several', about: ({ id }) => entryIds(id) },
  operationId: 'releaseStaffQueueEntry',
  summary: 'Release a claim',
  description:
    'Ends the own claim on an entry, or all own claims without `kind` and `id`. It may be repeated; claims of others stay.',
  answer: 'The claim has ended.',
  example: { request: { kind: 'text', id: '1002' } },
  statuses: [404],
  input: z
    .object({
      kind: input.shape.kind.optional(),
      id: input.shape.id.meta({ type: 'string', description: 'The number of the member, or the report.' }),
    })
    .refine(({ kind, id }) => (kind === undefined) === (id === undefined)),
  output: z.object({}),
  handler: async ({ input: { kind, id }, caller }, context: ModerationContext) => {
    const { claims } = context.moderation;
    if (kind === undefined || id === undefined) await claims.endAllOf(caller.memberId);
    else {
      const key = kind === 'report' ? String(id) : await numberOf(context, String(id));
      await claims.end({ kind, key }, caller.memberId);
    }
    return {};
  },
});
