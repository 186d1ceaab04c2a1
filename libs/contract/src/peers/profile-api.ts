import { z } from 'zod';
import { pushCapabilities, readAppAddress } from '../events/push-address.ts';
import { pushTypes, securityTypes } from '../events/push-types.ts';
import { currentMembership } from './billing-api.ts';
import type { Exchange } from './exchange.ts';

const id = z.int().positive();
const named = z.object({ member_id: z.uuid(), id });

/** Reads whether a member may sign in. 404 for an unknown member. */
export const memberState = {
  path: '/internal/members/state',
  callers: ['auth'],
  input: named,
  output: z.object({ id, deactivated: z.boolean(), suspended: z.boolean() }),
} as const satisfies Exchange;

/** Reads the member's site, the country whose prices hold, and locale, by default that of the site. 404 for an unknown member. */
export const memberLocale = {
  path: '/internal/members/locale',
  callers: ['auth', 'billing'],
  input: z.object({ id }),
  output: z.object({ locale: z.string(), siteid: id, country: z.string() }),
} as const satisfies Exchange;

/** Counts that staff read data of a member that the caller has. 429 beyond the limit of members in an hour. */
export const countStaffView = {
  path: '/internal/staff/view',
  callers: ['auth', 'billing'],
  input: z.object({
    /** UUID of the staff account. */
    staff: z.uuid(),
    member: id,
  }),
  output: z.object({}),
} as const satisfies Exchange;

/** Publishes that something happened to the security of a member's account: every device is notified. */
export const alertMember = {
  path: '/internal/members/alert',
  callers: ['auth'],
  input: z.object({ id, alert: z.enum(securityTypes) }),
  output: z.object({}),
} as const satisfies Exchange;

/** Turns the digest of a member off. Idempotent. */
export const stopDigest = {
  path: '/internal/notifications/stop-digest',
  callers: ['auth'],
  input: z.object({ member_id: z.uuid() }),
  output: z.object({}),
} as const satisfies Exchange;

/** Reactivates a member who entered the credentials twice. Idempotent. */
export const reactivateMember = {
  path: '/internal/members/reactivate',
  callers: ['auth'],
  input: z.object({ member_id: z.uuid() }),
  output: z.object({}),
} as const satisfies Exchange;

/** Returns whether the member of a pending account exists. If not, a tombstone makes a late insert fail. */
export const settleMember = {
  path: '/internal/members/settle',
  callers: ['auth'],
  input: named,
  output: z.object({ exists: z.boolean() }),
} as const satisfies Exchange;

/**
 * Registers a member on the hosted page; `parameters` are the fields of POST /members, and what the site requires of a complete
 * profile is required. Idempotent by member_id. `failed` has the code of each bad parameter. `abandoned`: it took too long and
 * needs another id. Otherwise the member exists. 429 over the limits of the address.
 */
export const registerHosted = {
  path: '/internal/members/register',
  callers: ['auth'],
  input: z.object({
    member_id: z.uuid(),
    client_id: z.string(),
    siteid: z.int().positive(),
    /** The member's network address, from `addressKey`. */
    address: z.string(),
    /** The email address is proven, so no mail confirms it. */
    email_confirmed: z.boolean().default(false),
    parameters: z.record(z.string(), z.unknown()),
  }),
  output: z.object({ failed: z.record(z.string(), z.int()), abandoned: z.boolean() }),
} as const satisfies Exchange;

/** Stores the current membership in the member's document. Idempotent by version; ignores unknown members. */
export const takeMembership = {
  path: '/internal/memberships/take',
  callers: ['billing'],
  input: z.object({ member: id, membership: currentMembership }),
  output: z.object({}),
} as const satisfies Exchange;

/**
 * One member of a bulk import. `parameters` are those of a registration without password, and password_hash, searchable,
 * deactivated, reason_id, userstatus, date_registered, last_seen.
 */
export const importedMember = z.object({
  member_id: z.uuid(),
  parameters: z.record(z.string(), z.unknown()),
  /** Files that are already in photo storage; the first one is primary. */
  photos: z.array(z.object({ stem: z.string(), extension: z.string(), sizes: z.array(z.int()) })).optional(),
});

const importedMembers = z.object({ members: z.array(importedMember).max(500) });

const outcomeOfImport = z.object({
  /**
   * The members that exist now. `added` is false for those that existed before; `changed` is true where their line changed
   * them, and `ignored` names its changed parameters that an update does not apply.
   */
  imported: z.array(
    z.object({
      member_id: z.uuid(),
      id,
      added: z.boolean(),
      changed: z.boolean(),
      ignored: z.array(z.string()),
    }),
  ),
  refused: z.array(
    z.object({
      member_id: z.uuid(),
      failcode: z.array(z.int()),
      failed: z.record(z.string(), z.int()),
    }),
  ),
});

/**
 * Imports members with their accounts. Idempotent by member_id; the first of duplicates counts. Each is checked like a
 * registration. `failed` has the code of each invalid parameter; a name that is taken is only in `failcode`.
 */
export const importMembers = {
  path: '/internal/members/import',
  callers: ['operator'],
  input: importedMembers.extend({
    /** `add` leaves existing members as they are, `update` applies what changed in their lines. */
    mode: z.enum(['add', 'update']).default('add'),
  }),
  output: outcomeOfImport,
} as const satisfies Exchange;

/** Checks members as importMembers does, and writes nothing. */
export const checkImport = {
  path: '/internal/members/import/check',
  callers: ['operator'],
  input: importedMembers,
  output: outcomeOfImport,
} as const satisfies Exchange;

const isPushEndpoint = (text: string) =>
  readAppAddress(text) !== undefined || z.url({ protocol: /^https$/ }).safeParse(text).success;

/** A device for push messages: the subscription of its browser or the address of its app, and the types to send. */
const pushDevice = {
  endpoint: z.string().refine(isPushEndpoint),
  /** The keys of a browser. */
  p256dh: z.string().optional(),
  auth: z.string().optional(),
  types: z.array(z.enum(pushTypes)),
  /** The language of the device; without it, the member's. */
  locale: z.string().optional(),
  capabilities: z.array(z.enum(pushCapabilities)).optional(),
};

/** The new `push_ids` of the member's record. */
const pushIds = z.object({ push_ids: z.array(z.string()) });

/** The sign-in that asks: its end removes its devices. Unless it is recent, 409 where devices of other sign-ins would go. */
const asking = {
  family: z.string().optional(),
  recent_sign_in: z.boolean(),
};

/** Adds a device, which belongs to the last member who added it. Idempotent by endpoint. 404, or 403 Deactivated. */
export const addPushDevice = {
  path: '/internal/push/add',
  callers: ['updates'],
  input: z.object({ id, member_id: z.uuid(), ...asking, ...pushDevice }),
  output: pushIds,
} as const satisfies Exchange;

/** Records a push id of an older app, which only `push_ids` shows. Idempotent. 404, or 403 Deactivated. */
export const addPushId = {
  path: '/internal/push/add-id',
  callers: ['updates'],
  input: z.object({ id, member_id: z.uuid(), push_id: z.string() }),
  output: pushIds,
} as const satisfies Exchange;

/** Removes one device or push id of a member, or all without either; with `added_at`, unless it was added again since. Idempotent. */
export const removePushDevices = {
  path: '/internal/push/remove',
  callers: ['updates'],
  input: z.object({
    id,
    endpoint: z.string().optional(),
    push_id: z.string().optional(),
    ...asking,
    added_at: z.iso.datetime().optional(),
  }),
  output: pushIds,
} as const satisfies Exchange;

/** Removes the devices of sign-ins that have ended. Idempotent. */
export const endPush = {
  path: '/internal/push/end',
  callers: ['auth'],
  input: z.object({ sign_ins: z.array(z.object({ id, family: z.string() })).max(1_000) }),
  output: z.object({}),
} as const satisfies Exchange;

/**
 * Reads for each member whether others may see the presence, and the recipients: connections with an open socket who may
 * open the profile, or could if it were searchable. Members who no longer exist are left out.
 */
export const presenceRecipients = {
  path: '/internal/presence/recipients',
  callers: ['updates'],
  input: z.object({ ids: z.array(id).max(100) }),
  output: z.object({ members: z.array(z.object({ id, shown: z.boolean(), recipients: z.array(id) })) }),
} as const satisfies Exchange;

/** Another member in a push message, and the message that member wrote. */
const previewed = { profileid: id, messageid: z.uuid().optional() };

/**
 * Reads devices and choices of members who can sign in. The number of unread messages comes with `badges` for members with a device that
 * shows it, and for those in `unread`. Of `previews`, those come that the member wants and may see, and members of whom nothing is pushed.
 */
export const pushTargets = {
  path: '/internal/push/targets',
  callers: ['updates'],
  input: z.object({
    ids: z.array(id).max(1_000),
    badges: z.boolean().default(false),
    unread: z.array(id).max(1_000).default([]),
    previews: z
      .array(z.object({ id, ...previewed }))
      .max(2_000)
      .default([]),
  }),
  output: z.object({
    targets: z.array(
      z.object({
        id,
        /** Title of the member's site. */
        title: z.string(),
        locale: z.string(),
        devices: z.array(z.object({ ...pushDevice, added_at: z.iso.datetime() })),
        unread: z.int().nonnegative().optional(),
        /** Kinds that the member does not want. */
        muted: z.array(z.string()),
        quiet_hours: z.object({ from: z.string(), to: z.string(), timezone: z.string() }).optional(),
        previews: z
          .array(z.object({ ...previewed, name: z.string(), text: z.string().optional() }))
          .optional(),
        /** Of the members in `previews`, those whom the member has blocked, or who have blocked the member. */
        blocked: z.array(id).optional(),
      }),
    ),
  }),
} as const satisfies Exchange;
