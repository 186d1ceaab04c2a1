import { ageOn } from '@covalence/contract/age';
import type { ModerationContext } from '../moderation.ts';
import { reviewedTexts } from '../../members/checks/check-texts.ts';
import { currentText, pendingText, textOf } from '../../members/document/member-values.ts';
import type { Member, Photo } from '../../members/document/member.ts';
import type { OpenReport } from '../report-store.ts';
import { photoView, photoRevision, profileRevision, textRevision } from '../staff-call.ts';
import { waitingKinds, textsToReview, type WaitingKind } from '../../members/document/account-status.ts';

/** The part of a member that staff see: never credentials, e-mail or position. */
const identityOf = (member: Member, now: Date) => ({
  id: member._id,
  member_id: member.member_id,
  siteid: member.siteid,
  username: textOf(member, 'username'),
  userstatus: member.userstatus,
  suspended: member.suspended,
  deactivated: member.deactivated,
  gender: textOf(member, 'gender'),
  age: ageOn(textOf(member, 'date_of_birth'), now),
  country: textOf(member, 'country'),
  date_registered: member.joined.toISOString(),
  flags: member.flags ?? {},
});

const photoOf = (member: Member, photo: Photo, context: ModerationContext) => ({
  ...photoView(photo, context, member),
  private: photo.private ?? false,
  status: photo.status,
  primary: photo.primary,
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
  text: (member) => ({ texts: waitingTexts(member) }),
  photo: (member, context) => {
    const pending = member.photos.filter(({ status }) => status === 'pending');
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

/** A member as staff see them: the profile, and the texts and photos to decide on, each with its revision. */
export function memberView(member: Member, context: ModerationContext) {
  return {
    ...identityOf(member, context.clock()),
    deleted: member.deleted,
    waiting: Object.fromEntries(
      waitingKinds.flatMap((kind) => {
        const since = member.waiting?.[kind];
        return since ? [[kind, since.toISOString()]] : [];
      }),
    ),
    ...profileOf(member, context),
    texts_to_review: waitingTexts(member),
    photos: withRevision(member, keptPhotos(member), context),
  };
}

/** A report in the queue, with the profile of the reported member. */
export function reportEntry(report: OpenReport, member: Member, context: ModerationContext) {
  return {
    kind: 'report' as const,
    since: report.open_at.toISOString(),
    report_id: report._id,
    reporter: report.reporter,
    reason: report.reason ?? '',
    flagged: member.waiting?.flagged ?? false,
    ...identityOf(member, context.clock()),
    ...profileOf(member, context),
  };
}
