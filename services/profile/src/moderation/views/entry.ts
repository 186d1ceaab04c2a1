import { ageOn } from '@covalence/contract/age';
import { photoStatuses, userStatuses } from '@covalence/contract/record';
import { z } from 'zod';
import { strikesOf, strikesSchema } from '../strikes.ts';
import { scamScoreSchema, scamScoreView, scoreOf } from '../signals/score.ts';
import type { ModerationContext } from '../moderation.ts';
import { reviewedTexts, textsByState } from '../../members/checks/check-texts.ts';
import { currentText, pendingText, textOf } from '../../members/document/member-values.ts';
import type { Member, Photo } from '../../members/document/member.ts';
import type { Claim } from '../store/claim-store.ts';
import { isUnreviewed } from '../../members/document/photos.ts';
import { reportCategories, type OpenReport } from '../store/report-store.ts';
import { listedUsername } from '../usernames.ts';
import {
  photoRevision,
  photoView,
  photoViewSchema,
  profileRevision,
  textRevision,
  textsByField,
} from '../staff-call.ts';
import {
  flagsOf,
  textsToReview,
  waitingKinds,
  waitingSchema,
  waitingSince,
  type WaitingKind,
} from '../../members/document/account-status.ts';
import type { FoundMember } from '../store/search-store.ts';

const identityShape = {
  id: z.int().meta({ examples: [1002] }),
  member_id: z.uuid(),
  siteid: z.int(),
  username: z.string().meta({ examples: ['tomh'] }),
  userstatus: z.enum(userStatuses).meta({ examples: ['approved'] }),
  suspended: z.boolean(),
  deactivated: z.boolean(),
  gender: z.string().meta({ examples: ['Male'] }),
  age: z.int().meta({ examples: [37] }),
  country: z.string().meta({ examples: ['US'] }),
  date_registered: z.iso.datetime(),
  flags: z.record(z.string(), z.array(z.string())).meta({
    description:
      'Kinds of contact data that were found in a text, by field; `banned` for `email`, `device` and `photo` that the ban list has; `scam` for `messages` with signals of a scam.',
    examples: [{ headline: ['email'] }],
  }),
};

const photoSchema = photoViewSchema
  .extend({
    private: z.boolean(),
    status: z.enum(photoStatuses),
    primary: z.boolean(),
    flagged: z.boolean().meta({ description: 'Whether the photo matched the ban list.' }),
    blurhash: z
      .string()
      .optional()
      .meta({
        description: 'The colors to show until the file is there; absent on imported photos.',
        examples: ['LEHV6nWB2yk8pyo0adR*.7kCMdnj'],
      }),
    revision: z.string().optional(),
  })
  .meta({ id: 'StaffPhoto' });

const textSchema = z
  .strictObject({
    field: z.string().meta({ examples: ['headline'] }),
    current: z.string(),
    proposed: z
      .string()
      .nullable()
      .meta({ examples: ['Better in person'], description: 'Null for a current text that was flagged.' }),
    flags: z.array(z.string()).meta({ examples: [[]] }),
    revision: z.string().meta({ examples: ['m0Wv'] }),
  })
  .meta({ id: 'StaffText' });

/** An entry of the queue; which fields it has depends on its kind. */
export const entrySchema = z
  .strictObject({
    kind: z.enum([...waitingKinds, 'report']).meta({ examples: ['text'] }),
    since: z.iso.datetime(),
    flagged: z.boolean(),
    ...identityShape,
    texts: z.unknown().optional().meta({
      description: 'The texts by field; of the kind `text` a list, which `texts_to_review` has too.',
    }),
    texts_to_review: z.array(textSchema).optional().meta({ description: 'For the kind `text`.' }),
    photos: z.array(photoSchema).optional(),
    revision: z.string().optional(),
    report_id: z.string().optional(),
    reporter: z.int().optional(),
    reporter_username: listedUsername.optional().meta({ description: 'With `reporter`.' }),
    category: z.enum(reportCategories).nullable().optional().meta({ description: 'With reports.' }),
    reason: z.string().optional(),
    claimed_by: z.uuid().optional().meta({ description: 'The staff account that works on it.' }),
    claimed_until: z.iso.datetime().optional(),
  })
  .meta({ id: 'StaffQueueEntry' });

/** A member as staff see them. */
export const memberViewSchema = z
  .strictObject({
    ...identityShape,
    deleted: z.boolean(),
    waiting: waitingSchema.meta({ description: 'Since when each kind of review waits.' }),
    texts: textsByField.meta({
      description: 'As others read them; those that wait are in `texts_to_review`.',
    }),
    texts_to_review: z.array(textSchema),
    photos: z.array(photoSchema),
    revision: z.string().meta({ examples: ['m0Wv'] }),
    strikes: strikesSchema,
    scam: scamScoreSchema.optional().meta({ description: 'Absent on sites without signals of scams.' }),
  })
  .meta({ id: 'StaffMember' });

/** The account of a member as staff see it. */
export const accountOf = (member: FoundMember) => ({
  id: member._id,
  member_id: member.member_id,
  siteid: member.siteid,
  username: textOf(member, 'username'),
  userstatus: member.userstatus,
  suspended: member.suspended,
  deactivated: member.deactivated,
  date_registered: member.joined.toISOString(),
});

/** The part of a member that staff see: never credentials, email or position. */
const identityOf = (member: Member, now: Date) => ({
  ...accountOf(member),
  gender: textOf(member, 'gender'),
  age: ageOn(textOf(member, 'date_of_birth'), now),
  country: textOf(member, 'country'),
  flags: flagsOf(member),
});

const photoOf = (member: Member, photo: Photo, context: ModerationContext) => ({
  ...photoView(photo, context, member),
  private: photo.private ?? false,
  status: photo.status,
  primary: photo.primary,
  flagged: photo.suspected ?? false,
  blurhash: photo.blurhash,
});

const keptPhotos = ({ photos }: Member) => photos.filter(({ status }) => status !== 'deleted');

const withRevision = (member: Member, photos: readonly Photo[], context: ModerationContext) =>
  photos.map((photo) => ({ ...photoOf(member, photo, context), revision: photoRevision(member, photo.id) }));

const profileOf = (member: Member, context: ModerationContext) => ({
  texts: reviewedTexts(member),
  photos: keptPhotos(member).map((photo) => photoOf(member, photo, context)),
  revision: profileRevision(member),
});

const waitingTexts = (member: Member) =>
  textsToReview(member).map((field) => ({
    field,
    current: currentText(member, field),
    // Null for a current text that was flagged.
    proposed: pendingText(member, field) ?? null,
    flags: member.flags?.[field] ?? [],
    revision: textRevision(member, field),
  }));

const contents: Record<WaitingKind, (member: Member, context: ModerationContext) => object> = {
  profile: profileOf,
  text: (member) => {
    const texts = waitingTexts(member);
    return { texts, texts_to_review: texts };
  },
  photo: (member, context) => {
    const pending = member.photos.filter(isUnreviewed);
    return { photos: withRevision(member, pending, context) };
  },
};

/** A member in the queue, with the content to decide on. */
export function memberEntry(kind: WaitingKind, member: Member, context: ModerationContext) {
  return {
    kind,
    since: (member.waiting?.[kind] ?? member.joined).toISOString(),
    flagged: member.waiting?.flagged ?? false,
    ...identityOf(member, context.clock()),
    ...contents[kind](member, context),
  };
}

/** The claim on a queue entry. */
export const claimShown = (claim: Claim | undefined) =>
  claim && { claimed_by: claim.staff, claimed_until: claim.until.toISOString() };

/** A member as staff see them: the profile, and the texts and photos to decide on, each with its revision. */
export async function memberView(member: Member, context: ModerationContext) {
  const [strikes, scam] = await Promise.all([strikesOf(context, member), scoreOf(context, member)]);
  return {
    ...identityOf(member, context.clock()),
    deleted: member.deleted,
    waiting: waitingSince(member),
    ...profileOf(member, context),
    texts: textsByState(member).texts,
    texts_to_review: waitingTexts(member),
    photos: withRevision(member, keptPhotos(member), context),
    strikes,
    scam: scam && scamScoreView(scam),
  };
}

/** A report in the queue, with the profile of the reported member. */
export function reportEntry(
  report: OpenReport,
  member: Member,
  nameOf: (id: number) => string | null,
  context: ModerationContext,
) {
  return {
    kind: 'report' as const,
    since: report.open_at.toISOString(),
    report_id: report._id,
    reporter: report.reporter,
    reporter_username: nameOf(report.reporter),
    category: report.category ?? null,
    reason: report.reason ?? '',
    flagged: member.waiting?.flagged ?? false,
    ...identityOf(member, context.clock()),
    ...profileOf(member, context),
  };
}
