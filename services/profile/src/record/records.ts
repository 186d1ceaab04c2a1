import { siteOf, type Context } from '../context.ts';
import { localeOf } from '../members/document/member-values.ts';
import type { Member } from '../members/document/member.ts';
import { relationOf, type Relation } from '../pairs/relation.ts';
import { presenceOf } from '../members/document/presence.ts';
import type { Sighting } from '../members/store/presence-store.ts';
import { renderRecord, type MemberRecord } from './render-record.ts';
import type { Subject } from './fields/subject.ts';

/** A member to be shown and what stands between them and the viewer. */
export interface Shown {
  readonly member: Member;
  readonly relation: Relation;
}

type Reader = Omit<Subject, 'member' | 'relation' | 'site' | 'presence'>;

/** The e-mail addresses that a member reads in the own record: the one in force, and the one that waits to be confirmed. */
interface OwnAddresses {
  readonly email: string;
  readonly pending_email?: string | null | undefined;
}

/** What is the same for every record that a viewer asks for. */
const readerOf = (
  context: Context,
  use: Subject['use'],
  viewer: Member,
  { email, pending_email }: OwnAddresses = { email: '' },
): Reader => {
  const viewerSite = siteOf(context, viewer.siteid);
  return {
    use,
    viewer,
    viewerSite,
    sites: context.sites,
    now: context.clock(),
    locale: localeOf(viewer, viewerSite),
    email,
    pendingEmail: pending_email ?? undefined,
    photoAddress: context.photoAddresses.of(viewer._id),
    photoSharing: context.config.PHOTO_SHARING,
    shownPosition: context.shownPosition,
  };
};

const render = (
  context: Context,
  reader: Reader,
  { member, relation }: Shown,
  sighting: Sighting | undefined,
): MemberRecord =>
  renderRecord({
    ...reader,
    member,
    relation,
    site: siteOf(context, member.siteid),
    presence: presenceOf(member, sighting, reader.now),
  });

const renderOne = async (context: Context, reader: Reader, shown: Shown): Promise<MemberRecord> => {
  const { _id } = shown.member;
  const sightings = await context.presence.read([_id], reader.now);
  return render(context, reader, shown, sightings.get(_id));
};

/** The member's own record; `addresses` where the caller of this knows them already. */
export async function ownRecord(
  context: Context,
  member: Member,
  addresses?: OwnAddresses,
): Promise<MemberRecord> {
  const known = addresses ?? (await context.auth.readEmail({ member_id: member.member_id }));
  const reader = readerOf(context, 'self', member, known);
  return renderOne(context, reader, { member, relation: relationOf() });
}

/** Another member's record as a single profile. */
export function singleRecord(context: Context, viewer: Member, shown: Shown): Promise<MemberRecord> {
  return renderOne(context, readerOf(context, 'single', viewer), shown);
}

/** What renders records of a search page for a viewer, one by one, with the named answers. */
export function searchRecordsFor(
  context: Context,
  viewer: Member,
  answers: ReadonlySet<string>,
): (shown: Shown, sighting: Sighting | undefined) => MemberRecord {
  const reader = { ...readerOf(context, 'search', viewer), answers };
  return (shown, sighting) => render(context, reader, shown, sighting);
}
