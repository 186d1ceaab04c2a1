import { siteOf, type MemberRecord, type MembersContext, type OwnAddresses } from '../members/members.ts';
import { localeOf } from '../members/document/member-values.ts';
import type { Member } from '../members/document/member.ts';
import { noRelation, type Relation } from './fields/relation.ts';
import { presenceOf, type Sighting } from '../members/document/presence.ts';
import type { PhotoAddresses } from './photo-address.ts';
import { renderRecord } from './render-record.ts';
import type { Subject } from './fields/subject.ts';

/** Dependencies of the operations that render records. */
export interface RecordContext extends MembersContext {
  /** `photoSharing`: whether members may share private photos. */
  readonly records: { readonly photoAddresses: PhotoAddresses; readonly photoSharing: boolean };
}

/** A member to show, and how the viewer stands to them. */
export interface Shown {
  readonly member: Member;
  readonly relation: Relation;
  readonly canStartThread: boolean;
}

type Reader = Omit<Subject, keyof Shown | 'site' | 'presence'>;

const readerOf = (
  context: RecordContext,
  use: Subject['use'],
  viewer: Member,
  { email, pending_email }: OwnAddresses = { email: '' },
): Reader => {
  const viewerSite = siteOf(context, viewer.siteid);
  return {
    use,
    viewer,
    viewerSite,
    now: context.clock(),
    locale: localeOf(viewer, viewerSite),
    email,
    pendingEmail: pending_email ?? undefined,
    photoAddress: context.records.photoAddresses.of(viewer._id),
    photoSharing: context.records.photoSharing,
    shownPosition: context.members.shownPosition,
  };
};

const render = (context: RecordContext, reader: Reader, shown: Shown, sighting?: Sighting): MemberRecord =>
  renderRecord({
    ...reader,
    ...shown,
    site: siteOf(context, shown.member.siteid),
    presence: presenceOf(shown.member, sighting, reader.now),
  });

const renderOne = async (context: RecordContext, reader: Reader, shown: Shown): Promise<MemberRecord> => {
  const { _id } = shown.member;
  const sightings = await context.members.presence.read([_id], reader.now);
  return render(context, reader, shown, sightings.get(_id));
};

/** The member's own record. Asks the auth service for the email addresses unless `addresses` has them. */
export async function ownRecord(context: RecordContext, member: Member, addresses?: OwnAddresses) {
  const known = addresses ?? (await context.auth.readEmail({ member_id: member.member_id }));
  const reader = readerOf(context, 'self', member, known);
  return renderOne(context, reader, { member, relation: noRelation, canStartThread: false });
}

/** Another member's record as a single profile. */
export function singleRecord(context: RecordContext, viewer: Member, shown: Shown): Promise<MemberRecord> {
  return renderOne(context, readerOf(context, 'single', viewer), shown);
}

/** Returns a function that renders records as in a list for one viewer, with the named answers. */
export function searchRecordsFor(context: RecordContext, viewer: Member, answers: ReadonlySet<string>) {
  const reader = { ...readerOf(context, 'search', viewer), answers };
  return (shown: Shown, sighting: Sighting | undefined) => render(context, reader, shown, sighting);
}
