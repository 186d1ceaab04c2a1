import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import type { ModerationContext } from '../moderation.ts';
import type { Claim, EntryKind } from '../store/claim-store.ts';
import type { SiteSummary } from '../store/queue-store.ts';
import { oneSite, sitesOf } from '../staff-call.ts';
import { entryKinds } from './queue.ts';

/** Counts the entries of a kind that wait, by site. */
export const summariesOf = (
  kind: EntryKind,
  siteids: readonly number[],
  { moderation: { queue, reports } }: ModerationContext,
): Promise<SiteSummary[]> => (kind === 'report' ? reports.summary(siteids) : queue.summary(kind, siteids));

const shown = ({ kind, key, siteid, about, staff, until }: Claim) => ({
  kind,
  id: about[0] ?? 0,
  report_id: typeof key === 'string' ? key : undefined,
  siteid,
  staff_id: staff,
  until: until.toISOString(),
});

const oldest = z.iso.datetime().nullable().meta({ description: 'Null where nothing waits.' });

const countsOf = (found: readonly SiteSummary[] | undefined, site: number) => {
  const of = found?.find(({ siteid }) => siteid === site);
  return { waiting: of?.waiting ?? 0, oldest: of?.oldest.toISOString() ?? null };
};

/** GET /staff/queue/summary */
export const summary = endpoint({
  access: 'staff',
  staff: { roles: ['moderator'], site: 'several' },
  operationId: 'getStaffQueueSummary',
  summary: 'Count what waits for review',
  description:
    'The number and age of waiting entries by kind and site of the role, the open claims, and the number of waiting appeals.',
  answer:
    'One line for each kind and site, the claims that have not ended, and one line of appeals for each site.',
  input: z.object({ siteid: oneSite }),
  output: z
    .object({
      queues: z.array(
        z
          .object({
            kind: z.enum(entryKinds),
            siteid: z.int(),
            waiting: z.int().meta({ examples: [12] }),
            claimed: z.int().meta({ examples: [2] }),
            oldest,
          })
          .meta({ id: 'StaffQueueLine' }),
      ),
      claims: z.array(
        z
          .object({
            kind: z.enum(entryKinds),
            id: z.int().meta({ description: 'The member.', examples: [1002] }),
            report_id: z.string().optional(),
            siteid: z.int(),
            staff_id: z.uuid(),
            until: z.iso.datetime(),
          })
          .meta({ id: 'StaffClaim' }),
      ),
      appeals: z.array(
        z
          .object({ siteid: z.int(), waiting: z.int().meta({ examples: [1] }), oldest })
          .meta({ id: 'StaffAppealsLine' }),
      ),
    })
    .meta({ id: 'StaffQueueSummary' }),
  handler: async ({ input: { siteid }, sites }, context: ModerationContext) => {
    const siteids = sitesOf(siteid, sites, context);
    const { claims: store, appeals } = context.moderation;
    const [live, appealed, ...counted] = await Promise.all([
      store.live(entryKinds, context.clock()),
      appeals.summary(siteids),
      ...entryKinds.map((kind) => summariesOf(kind, siteids, context)),
    ]);
    const claims = live.filter((claim) => siteids.includes(claim.siteid));
    const claimedOf = (kind: EntryKind, site: number) =>
      claims.filter((claim) => claim.kind === kind && claim.siteid === site).length;
    const queues = entryKinds.flatMap((kind, index) =>
      siteids.map((site) => ({
        kind,
        siteid: site,
        claimed: claimedOf(kind, site),
        ...countsOf(counted[index], site),
      })),
    );
    return {
      queues,
      claims: claims.map(shown),
      appeals: siteids.map((site) => ({ siteid: site, ...countsOf(appealed, site) })),
    };
  },
});
