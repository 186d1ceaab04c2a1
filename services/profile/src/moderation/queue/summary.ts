import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import type { ModerationContext } from '../moderation.ts';
import type { Claim, EntryKind } from '../claim-store.ts';
import type { SiteSummary } from '../queue-store.ts';
import { oneSite, sitesOf } from '../staff-call.ts';
import { entryKinds } from './queue.ts';

/** How many entries of a kind wait, by site. */
export const summariesOf = (
  kind: EntryKind,
  siteids: readonly number[],
  { moderation: { queue, reports } }: ModerationContext,
): Promise<SiteSummary[]> => (kind === 'report' ? reports.summary(siteids) : queue.summary(kind, siteids));

const shown = ({ kind, key, siteid, about, staff, until }: Claim) => ({
  kind,
  id: about[0] ?? 0,
  ...(typeof key === 'string' && { report_id: key }),
  siteid,
  staff_id: staff,
  until: until.toISOString(),
});

/** GET /staff/queue/summary */
export const summary = endpoint({
  access: 'staff',
  staff: { roles: ['moderator'], site: 'several' },
  tag: 'Staff',
  operationId: 'getStaffQueueSummary',
  summary: 'Count what waits for review',
  description: 'How much waits of each kind on each site of the role, since when, and who works on what.',
  answer: 'One line for each kind and site, and the claims that have not ended.',
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
            oldest: z.iso.datetime().nullable().meta({ description: 'Null where nothing waits.' }),
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
    })
    .meta({ id: 'StaffQueueSummary' }),
  handler: async ({ input: { siteid }, sites }, context: ModerationContext) => {
    const siteids = sitesOf(siteid, sites, context);
    const [live, ...counted] = await Promise.all([
      context.moderation.claims.live(entryKinds, context.clock()),
      ...entryKinds.map((kind) => summariesOf(kind, siteids, context)),
    ]);
    const claims = live.filter((claim) => siteids.includes(claim.siteid));
    const lineOf = (kind: EntryKind, site: number, found: SiteSummary | undefined) => ({
      kind,
      siteid: site,
      waiting: found?.waiting ?? 0,
      claimed: claims.filter((claim) => claim.kind === kind && claim.siteid === site).length,
      oldest: found?.oldest.toISOString() ?? null,
    });
    const queues = entryKinds.flatMap((kind, index) =>
      siteids.map((site) =>
        lineOf(
          kind,
          site,
          counted[index]?.find((each) => each.siteid === site),
        ),
      ),
    );
    return { queues, claims: claims.map(shown) };
  },
});
