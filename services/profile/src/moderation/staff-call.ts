import { conflicting, forbidden, invalidArgument, orNotFound } from '@covalence/contract/failure';
import { photoObjectSchema } from '@covalence/contract/member-record';
import { documented, pagesize, profileidInPath, wholeNumber } from '@covalence/contract/parameters';
import { coversSite, type StaffSites } from '@covalence/contract/staff-roles';
import type { StaffRule } from '@covalence/http/endpoint';
import { z } from 'zod';
import type { HeldPhoto, Member } from '../members/document/member.ts';
import { staffViewer } from '../record/photo-address.ts';
import { photoObject } from '../record/fields/photo-object.ts';
import { createHash } from 'node:crypto';
import type { ModerationContext } from './moderation.ts';
import { findMember, numericId } from '../members/members.ts';
import { pendingText } from '../members/document/member-values.ts';
import { reason } from './saved-reasons.ts';
import type { Why } from './statement.ts';

/** Input of a list about one member that pages by UUIDs. */
export const staffPageInput = z.object({
  id: profileidInPath,
  cursor: z.uuid().toLowerCase().optional().meta(documented.cursor),
  pagesize,
});

/** The texts of a decision in the OpenAPI document. */
export interface DecisionDocument {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
}

/** Input that every decision takes. */
export const decisionInput = {
  reason: reason.optional().meta({
    description:
      'The reason, for the history. The member reads it in the export: name nobody else in it. A restriction needs this or `reason_id`.',
  }),
  reason_id: z.string().optional().meta({
    description: 'A saved reason (GET /staff/reasons) instead; kept in the language of the member.',
  }),
  facts: reason.optional().meta({
    description: 'The facts of a restriction, as the member reads them. Name nobody else.',
  }),
  report_id: z.string().optional().meta({ description: 'With a restriction: the report that led to it.' }),
  revision: z
    .string()
    .optional()
    .meta({ description: '`revision` of what was looked at; 409 when that has changed since.' }),
};

/** The id of a decision that was made, in answers. */
export const decisionIdShape = {
  decision_id: z.uuid().optional().meta({
    description: 'The decision, which can be undone for 30 seconds; absent where nothing changed.',
  }),
};

/** Whether a call gives a reason, of its own or a saved one. Every restriction needs one. */
export const hasReason = ({ reason: text, reason_id }: Pick<Why, 'reason' | 'reason_id'>): boolean =>
  text !== undefined || reason_id !== undefined;

/** Why staff decide, as a call says it. Throws 403 for a reason beside a saved one. */
export function whyOf({ reason: text, reason_id, facts, report_id }: Omit<Why, 'ban'>): Why {
  if (text !== undefined && reason_id !== undefined) throw invalidArgument();
  return { reason: text, reason_id, facts, report_id };
}

/** The member that a staff path names by number or UUID, deleted ones included. Throws 404 where there is none. */
export const memberOf = async (context: ModerationContext, id: string): Promise<Member> =>
  orNotFound(await findMember(context, id));

/** The numeric id of a member, who may be erased. Throws 404 where there is none. */
export async function numberOf(context: ModerationContext, id: string): Promise<number> {
  return numericId(id) ?? (await memberOf(context, id))._id;
}

/** The rule of calls about one member: staff of the member's site with one of the roles. */
export const onMember = (...roles: StaffRule<ModerationContext, unknown>['roles']) => ({
  roles,
  site: async ({ id }: { readonly id: string }, context: ModerationContext) =>
    (await memberOf(context, id)).siteid,
});

/** The ids of an entry of the queue, a member or a report, in the audit log: with a report its two members. */
export const entryIds = (id: number | string | undefined): readonly string[] =>
  id === undefined ? [] : [String(id), ...String(id).split(':')];

/** The members of some entries. */
export const entryMembers = (
  entries: readonly { readonly id: number; readonly reporter?: number | undefined }[],
): number[] => entries.flatMap(({ id, reporter }) => (reporter === undefined ? [id] : [id, reporter]));

/** The parameter that narrows a call to one of the sites of the role. */
export const oneSite = wholeNumber.pipe(z.int().positive()).optional().meta(documented.siteid);

/** Input of a list of the sites of the role that pages by UUIDs. */
export const sitesPageInput = z.object({ siteid: oneSite, ...staffPageInput.omit({ id: true }).shape });

/** The sites of a call: those of the role, or the one that the call names, which must be among them. */
export function sitesOf(
  siteid: number | undefined,
  sites: StaffSites,
  context: Pick<ModerationContext, 'sites'>,
): readonly number[] {
  if (siteid === undefined) return [...(sites === 'all' ? context.sites.keys() : sites)];
  if (!coversSite(sites, siteid)) throw forbidden();
  return [siteid];
}

/** Texts by field. */
export const textsByField = z
  .record(z.string(), z.string())
  .meta({ examples: [{ headline: 'Better in person' }] });

/** The schema of a photo as staff see it. */
export const photoViewSchema = photoObjectSchema.extend({ caption: z.string() });

/** A photo as staff see it; without its owner, who may delete it, the address is signed even where the photo is public. */
export const photoView = (photo: HeldPhoto, { records }: ModerationContext, owner: Partial<Member> = {}) => ({
  ...photoObject(photo, records.photoAddresses.of(staffViewer)(owner, photo)),
  caption: photo.caption ?? '',
});

const digest = (facts: unknown): string =>
  createHash('sha256').update(JSON.stringify(facts)).digest('base64url').slice(0, 22);

/** Identifies the state of a profile: it changes with the userstatus, any field and any match of the ban list. */
export function profileRevision({
  userstatus,
  suspended,
  deleted,
  fields,
  suspected,
  ban_matches,
  scam_signals_at: signals,
  strikes_at: strikes,
}: Member): string {
  const sorted = Object.entries(fields).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return digest([
    userstatus,
    suspended,
    deleted,
    sorted,
    suspected,
    ...(ban_matches ? [{ ban_matches }] : []),
    ...(signals ? [signals] : []),
    ...(strikes ? [{ strikes }] : []),
  ]);
}

/** Identifies the texts of one field. */
export function textRevision(member: Member, field: string): string {
  return digest([field, pendingText(member, field) ?? null, member.fields[field] ?? null]);
}

/** Identifies the state of a photo. */
export function photoRevision({ photos }: Member, photo: number): string {
  const found = photos.find(({ id }) => id === photo);
  return digest([photo, found?.status ?? null, found?.suspected]);
}

/** Throws 409 where the revision of a decision is not the current one. A decision without a revision is always accepted. */
export function holdTo(seen: string | undefined, actual: string): void {
  if (seen !== undefined && seen !== actual) throw conflicting();
}
