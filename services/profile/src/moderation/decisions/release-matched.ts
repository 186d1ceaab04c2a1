import { always, eachPart, type MayGoOn } from '@covalence/events/periodic';
import type { Member, Suspicion } from '../../members/document/member.ts';
import { isMatchedBy, suspicionWithout } from '../../members/document/suspicion.ts';
import type { MemberPatch } from '../../members/store/member-store.ts';
import { withReviewState } from '../../photos/photo-list.ts';
import type { ModerationContext } from '../moderation.ts';

/** The change that removes the matches of entries that are gone; undefined where none of them matched. */
function withoutMatches(member: Member, gone: ReadonlySet<string>): MemberPatch | undefined {
  const released = member.photos.filter((photo) => isMatchedBy(gone, photo));
  const isReleased = isMatchedBy(gone, member);
  if (!isReleased && !released.length) return undefined;
  const photos = released.reduce<Member['photos']>(
    (all, photo) =>
      withReviewState(all, photo.id, { status: photo.status, ...suspicionWithout(gone, photo) }),
    member.photos,
  );
  const none = { suspected: undefined, ban_matches: undefined };
  return {
    ...(isReleased && { ...none, ...suspicionWithout(gone, member) }),
    ...(released.length > 0 && { photos }),
  };
}

/**
 * Job: ends the suspicion of members and photos in the queue whose entries of the ban list were removed or expired; those that
 * another entry matches stay. Resolves with how many failed.
 */
export async function releaseMatched(context: ModerationContext, mayGoOn: MayGoOn = always): Promise<number> {
  const { members, moderation, sites, logger } = context;
  const matched = await moderation.queue.matched([...sites.keys()]);
  const matches = matched.map((member) =>
    [member, ...member.photos].flatMap(({ ban_matches = [] }: Suspicion) => ban_matches),
  );
  const listed = new Set((await members.bans.store.findMany(matches.flat())).map(({ id }) => id));
  // Entries that are added from now on are not among them.
  const gone = new Set(matches.flat().filter((id) => !listed.has(id)));
  const ids = matched.flatMap(({ _id }, index) => (matches[index]?.some((id) => gone.has(id)) ? [_id] : []));
  return eachPart(ids, (id) => members.store.change(id, (member) => withoutMatches(member, gone)), {
    mayGoOn,
    logger,
    left: 'releasing a member whom no entry of the ban list matches failed: will retry',
    about: (member) => ({ member }),
  });
}
