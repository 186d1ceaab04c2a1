import { siteOf, type Context } from '../context.ts';
import { localeOf } from '../members/member-values.ts';
import type { Member } from '../members/member.ts';
import { relationOf, type Relation } from '../pairs/relation.ts';
import { presenceOf } from '../presence/presence.ts';
import { renderRecord, type MemberRecord } from './render-record.ts';
import type { Subject } from './subject.ts';

/** A member to be shown and what stands between them and the viewer. */
export interface Shown {
  readonly member: Member;
  readonly relation: Relation;
}

type Reader = Omit<Subject, 'member' | 'relation' | 'site' | 'presence'>;

/** What is the same for every record that a viewer asks for. */
const readerOf = (context: Context, use: Subject['use'], viewer: Member, email = ''): Reader => {
  const viewerSite = siteOf(context, viewer.siteid);
  return {
    use,
    viewer,
    viewerSite,
    sites: context.sites,
    now: context.clock(),
    locale: localeOf(viewer, viewerSite),
    email,
    photoAddress: context.photoAddresses.of(viewer._id),
    photoSharing: context.config.PHOTO_SHARING,
  };
};

const render = async (context: Context, reader: Reader, shown: readonly Shown[]): Promise<MemberRecord[]> => {
  const ids = shown.map(({ member }) => member._id);
  const sightings = await context.presence.read(ids, reader.now);
  return shown.map(({ member, relation }) =>
    renderRecord({
      ...reader,
      member,
      relation,
      site: siteOf(context, member.siteid),
      presence: presenceOf(member, sightings.get(member._id), reader.now),
    }),
  );
};

const first = (records: readonly MemberRecord[]): MemberRecord => {
  const [record] = records;
  if (!record) throw new Error('a record was not rendered');
  return record;
};

/** The member's own record; `email` where the caller of this knows it already. */
export async function ownRecord(context: Context, member: Member, email?: string): Promise<MemberRecord> {
  const address = email ?? (await context.auth.readEmail({ member_id: member.member_id })).email;
  const reader = readerOf(context, 'self', member, address);
  return first(await render(context, reader, [{ member, relation: relationOf() }]));
}

/** Another member's record as a single profile. */
export async function singleRecord(context: Context, viewer: Member, shown: Shown): Promise<MemberRecord> {
  return first(await render(context, readerOf(context, 'single', viewer), [shown]));
}

/** Records of a search page, in the order given; presence is read for all of them at once. */
export function searchRecords(
  context: Context,
  viewer: Member,
  shown: readonly Shown[],
): Promise<MemberRecord[]> {
  return render(context, readerOf(context, 'search', viewer), shown);
}
