import { z } from 'zod';
import { mostShownAnswers } from '../catalogue/answers.ts';
import { pushTypes } from '../push-types.ts';
import { positionSchema, projectionSchema } from '../search-projection.ts';
import { currentMembership } from './billing-api.ts';
import type { Exchange } from './exchange.ts';

const id = z.int().positive();

/** What sign-in needs to know of a member; 404 where there is none. */
export const memberState = {
  path: '/internal/members/state',
  callers: ['auth'],
  input: z.object({ member_id: z.uuid() }),
  output: z.object({ id, deactivated: z.boolean(), suspended: z.boolean() }),
} as const satisfies Exchange;

/**
 * Language_COUNTRY that a member reads texts in: their own, else their site's; 404
 * where there is no member.
 */
export const memberLocale = {
  path: '/internal/members/locale',
  callers: ['auth', 'billing'],
  input: z.object({ id }),
  output: z.object({ locale: z.string() }),
} as const satisfies Exchange;

/** After credentials given twice. Idempotent. */
export const reactivateMember = {
  path: '/internal/members/reactivate',
  callers: ['auth'],
  input: z.object({ member_id: z.uuid() }),
  output: z.object({}),
} as const satisfies Exchange;

/**
 * Whether the member of a pending account exists. If not, a tombstone keeps a late
 * insert from succeeding, so that the claim can be given away.
 */
export const settleMember = {
  path: '/internal/members/settle',
  callers: ['auth'],
  input: z.object({ member_id: z.uuid() }),
  output: z.object({ exists: z.boolean() }),
} as const satisfies Exchange;

/**
 * What a membership is now, for the member's record; membership.changed says the same.
 * Idempotent by version; an unknown member changes nothing.
 */
export const takeMembership = {
  path: '/internal/memberships/take',
  callers: ['billing'],
  input: z.object({ member: id, membership: currentMembership }),
  output: z.object({}),
} as const satisfies Exchange;

const withId = z.object({ id });

/** A rendered record. Whoever asks passes it on as it is, so that only its id is looked at, and nothing copied. */
const renderedRecord = z.custom<{ readonly id: number } & Record<string, unknown>>(
  (record) => withId.safeParse(record).success,
);

/**
 * The records of a search page as the viewer may see them, in the order asked for, with the answers
 * in `fields` where some are named; members no longer eligible are left out. 403 Deactivated for a deactivated viewer, 429
 * where a site's results of the day are used up.
 */
export const renderRecords = {
  path: '/internal/records',
  callers: ['search'],
  input: z.object({
    viewer: id,
    ids: z.array(id).max(100),
    fields: z.array(z.string()).max(mostShownAnswers).default([]),
  }),
  output: z.object({ records: z.array(renderedRecord) }),
} as const satisfies Exchange;

/**
 * How a viewer stands towards another member, as searches need it. The pair's version orders its changes.
 */
const viewerRelation = z.strictObject({
  other: id,
  version: z.int().positive(),
  /** Being blocked by the other always excludes. */
  blocked_by: z.boolean(),
  blocks: z.boolean(),
  declines: z.boolean(),
  likes: z.boolean(),
  /** When the viewer's pass ends or ended. */
  passed_until: z.iso.datetime().nullable(),
});

/**
 * Who searches, freshly read: the projection, membership, and, where `relations` is given, the
 * pairs of the viewer whose version is `since` or later, by version. About 1,000 at once: `next` is the version to go on
 * with, absent at the end. 403 Deactivated.
 */
export const readViewer = {
  path: '/internal/viewers',
  callers: ['search'],
  input: z.object({ id, relations: z.object({ since: z.int().nonnegative() }).optional() }),
  output: z.object({
    member: projectionSchema,
    /** Where the viewer is, which their own searches measure from. */
    position: positionSchema.nullable(),
    platinum: z.boolean(),
    relations: z.array(viewerRelation),
    next: z.int().optional(),
    agefrom: z.int().nullable(),
    ageto: z.int().nullable(),
    locale: z.string(),
  }),
} as const satisfies Exchange;

/** Projections, and the members whom profile cannot make one of, whose documents are not what they should be. */
const projections = z.object({
  projections: z.array(projectionSchema),
  /** By id, in the order asked for. */
  broken: z.array(id),
});

/** The search projections of members, tombstones included; unknown ids are left out. */
export const readProjections = {
  path: '/internal/projections',
  callers: ['search'],
  input: z.object({ ids: z.array(id).max(1_000) }),
  output: projections,
} as const satisfies Exchange;

/**
 * The projections between two ids, both left out, page by page: the first of them by ascending
 * id, or the last of them by descending. A page without anybody, broken members included, ends it.
 */
export const exportProjections = {
  path: '/internal/projections/export',
  callers: ['search'],
  input: z.object({
    after: z.int().nonnegative(),
    before: z.int().positive().default(Number.MAX_SAFE_INTEGER),
    descending: z.boolean().default(false),
    limit: z.int().min(1).max(1_000),
  }),
  output: projections,
} as const satisfies Exchange;

/**
 * One member of a bulk import. `parameters` are what a registration takes (any accepted spelling) without
 * password, and: password_hash, searchable, deactivated, reason_id, userstatus, date_registered, last_seen.
 */
export const importedMember = z.object({
  member_id: z.uuid(),
  parameters: z.record(z.string(), z.unknown()),
  /** Files already in photo storage, see the profile service's photo store; the first one is primary. */
  photos: z.array(z.object({ stem: z.string(), extension: z.string(), sizes: z.array(z.int()) })).optional(),
});

/**
 * Members in bulk with their accounts, idempotent by member_id. Each is checked like a
 * registration; those with something wrong are refused with their codes, one of an unknown site without code, and the others
 * go in. Of a member that comes twice the first one counts. `failed` has the code of each parameter that is wrong by itself; one
 * that somebody else has is told by its code alone.
 */
export const importMembers = {
  path: '/internal/members/import',
  callers: ['operator'],
  input: z.object({ members: z.array(importedMember).max(500) }),
  output: z.object({
    /** `added` is false for members that were there already. */
    imported: z.array(z.object({ member_id: z.uuid(), id, added: z.boolean() })),
    refused: z.array(
      z.object({
        member_id: z.uuid(),
        failcode: z.array(z.int()),
        // Versions before do not tell.
        failed: z.record(z.string(), z.int()).default({}),
      }),
    ),
  }),
} as const satisfies Exchange;

/** A device that takes push messages, as its browser describes it, and what it is told there. */
const pushDevice = {
  endpoint: z.url({ protocol: /^https$/ }),
  p256dh: z.string(),
  auth: z.string(),
  types: z.array(z.enum(pushTypes)),
};

/** What the record then shows. */
const pushIds = z.object({ push_ids: z.array(z.string()) });

/**
 * A device takes push messages for a member; 404 where there is no such member, 403 Deactivated.
 * Idempotent by endpoint, which belongs to the member who came last.
 */
export const addPushDevice = {
  path: '/internal/push/add',
  callers: ['updates'],
  input: z.object({ id, member_id: z.uuid(), ...pushDevice }),
  output: pushIds,
} as const satisfies Exchange;

/** A device of a member, all of them where none is named. Idempotent. */
export const removePushDevices = {
  path: '/internal/push/remove',
  callers: ['updates'],
  input: z.object({ id, endpoint: z.string().optional() }),
  output: pushIds,
} as const satisfies Exchange;

/**
 * Whether others are shown each member's presence at all (not set offline, and to be
 * found), and who may hear of it: connections with an open socket who may open the profile, or could if it were shown.
 * Members that do not exist any more are left out.
 */
export const presenceRecipients = {
  path: '/internal/presence/recipients',
  callers: ['updates'],
  input: z.object({ ids: z.array(id).max(100) }),
  output: z.object({ members: z.array(z.object({ id, shown: z.boolean(), recipients: z.array(id) })) }),
} as const satisfies Exchange;

/** The devices of those of the members who have some and can sign in. */
export const pushTargets = {
  path: '/internal/push/targets',
  callers: ['updates'],
  input: z.object({ ids: z.array(id).max(1_000) }),
  output: z.object({
    targets: z.array(
      z.object({
        id,
        /** Title of the member's site. */
        title: z.string(),
        locale: z.string(),
        devices: z.array(z.object(pushDevice)),
      }),
    ),
  }),
} as const satisfies Exchange;
