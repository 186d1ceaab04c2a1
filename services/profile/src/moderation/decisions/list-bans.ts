import { notFound, orNotFound } from '@covalence/contract/failure';
import { documented, pagesize, wholeNumber } from '@covalence/contract/parameters';
import { coversSite, type StaffSites } from '@covalence/contract/staff-roles';
import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import { pageOf } from '../../members/page.ts';
import type { Suspicion } from '../../members/document/member.ts';
import type { Ban } from '../../members/store/ban-store.ts';
import type { ModerationContext } from '../moderation.ts';
import { removeBans } from './ban-member.ts';
import { oneSite, sitesOf } from '../staff-call.ts';
import { listedUsername, usernamesOf } from '../usernames.ts';

const banSchema = z
  .strictObject({
    ban_id: z.uuid(),
    kind: z.enum(['email', 'device', 'photo']),
    siteid: z
      .int()
      .nullable()
      .meta({ description: 'Null: every site.', examples: [1] }),
    id: z
      .int()
      .nullable()
      .meta({ description: 'The member, until erased.', examples: [1002] }),
    username: listedUsername,
    photoid: z.int().nullable(),
    staff_id: z.string(),
    reason: z.string().nullable(),
    at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: 'StaffBan' });

const banView = ({ id, kind, siteid, member, photo, staff, reason, at, expires_at }: Ban) => ({
  ban_id: id,
  kind,
  siteid,
  id: member ?? null,
  photoid: photo ?? null,
  staff_id: staff,
  reason: reason ?? null,
  at: at.toISOString(),
  expires_at: expires_at.toISOString(),
});

/** The entries that match a member or a photo of theirs. Throws 404 where the role covers no such member. */
async function matchedBy({ members }: ModerationContext, id: number, sites: StaffSites): Promise<string[]> {
  const member = await members.store.byId(id);
  if (!member || !coversSite(sites, member.siteid)) throw notFound();
  return [member, ...member.photos].flatMap(({ ban_matches = [] }: Suspicion) => ban_matches);
}

/** GET /staff/bans */
export const listBans = endpoint({
  access: 'staff',
  staff: {
    roles: ['moderator'],
    site: 'several',
    about: ({ member, matches }) => [member, matches].filter((id) => id !== undefined),
    shows: ({ entries }) => entries.flatMap(({ id }) => id ?? []),
  },
  operationId: 'listStaffBans',
  summary: 'List the entries of the ban list',
  description:
    'Newest first, of the sites of the role. Entries for all sites need the role on every site. No entry shows an address, a device or a photo.',
  answer: 'A page of entries.',
  example: { request: { siteid: 1 } },
  statuses: [404],
  input: z.object({
    siteid: oneSite,
    member: wholeNumber
      .pipe(z.int().positive())
      .optional()
      .meta({ type: 'integer', minimum: 1, description: 'The number of a member.' }),
    matches: wholeNumber.pipe(z.int().positive()).optional().meta({
      type: 'integer',
      minimum: 1,
      description:
        'The number of a member whose address, devices or photos the entries match (`flags` `banned`).',
    }),
    cursor: z.uuid().toLowerCase().optional().meta(documented.cursor),
    pagesize,
  }),
  output: z.object({ entries: z.array(banSchema), next: z.uuid().nullable() }).meta({ id: 'StaffBans' }),
  handler: async (
    { input: { siteid, member, matches, cursor, pagesize: size }, sites },
    context: ModerationContext,
  ) => {
    // Entries of every site belong to none.
    const siteids = siteid === undefined && sites === 'all' ? undefined : sitesOf(siteid, sites, context);
    const wanted = {
      ...(siteids && { siteids }),
      ...(member !== undefined && { member }),
      ...(matches !== undefined && { ids: await matchedBy(context, matches, sites) }),
    };
    const found = await context.members.bans.store.page(wanted, cursor, size + 1);
    const { entries, next } = pageOf(found, size, ({ id }) => id);
    const members = entries.flatMap(({ member = [] }) => member);
    const nameOf = await usernamesOf(context, members, sites);
    const shown = entries.map(banView);
    return { entries: shown.map((entry) => ({ ...entry, username: nameOf(entry.id) })), next };
  },
});

const banOf = async ({ members }: ModerationContext, id: string): Promise<Ban> =>
  orNotFound(await members.bans.store.find(id));

/** DELETE /staff/bans/{banid} */
export const removeBan = endpoint({
  access: 'staff',
  staff: {
    roles: ['moderator'],
    site: async ({ banid }: { readonly banid: string }, context: ModerationContext) =>
      (await banOf(context, banid)).siteid ?? undefined,
    about: async ({ banid }, context: ModerationContext) => {
      const { member } = await banOf(context, banid);
      return member === undefined ? [] : [member];
    },
  },
  operationId: 'removeStaffBan',
  summary: 'Remove an entry of the ban list',
  description:
    'Members already hidden by this entry stay hidden until staff approve them. The history of the banned member has the removal.',
  answer: 'The entry is removed.',
  example: { request: { banid: '019a3f20-0b1c-7d41-9d0f-5b1f5c1e8a77' } },
  statuses: [404],
  input: z.object({ banid: z.uuid().toLowerCase().meta({ description: 'The entry.' }) }),
  output: z.object({}),
  handler: async ({ input: { banid }, caller, sites }, context: ModerationContext) => {
    await removeBans(context, [await banOf(context, banid)], { staff: caller, sites });
    return {};
  },
});
