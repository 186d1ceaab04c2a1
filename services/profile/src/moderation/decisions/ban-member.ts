import type { Caller } from '@covalence/http/endpoint';
import { v7 } from 'uuid';
import type { Banned } from '../../members/bans.ts';
import type { Member, Photo } from '../../members/document/member.ts';
import { imageTypeOf } from '../../photos/image/image-type.ts';
import type { ModerationContext } from '../moderation.ts';

/** The sizes that show the whole photo, the best first; the others are crops. */
const wholeSizes = [1600, 800, 400];

/** The hash of a stored photo; undefined where its file is missing or it has too little structure. */
async function hashOf(
  { photos }: ModerationContext,
  member: number,
  photo: Photo,
): Promise<string | undefined> {
  const size = wholeSizes.find((each) => photo.sizes.includes(each));
  const stored = size === undefined ? undefined : await photos.storage.bytesOf(photo, size);
  const bytes = Buffer.from(stored ?? []);
  const type = imageTypeOf(bytes);
  if (!type) return undefined;
  const result = await photos.pool.render(member, { bytes, type });
  const [hash] = 'rendered' in result ? result.rendered.hashes : [];
  return hash && Buffer.from(hash).toString('hex');
}

async function* bannedOf(context: ModerationContext, member: Member): AsyncGenerator<Banned> {
  const { email, pending_email } = await context.auth.readEmail({ member_id: member.member_id });
  yield { kind: 'email', email };
  if (pending_email !== undefined) yield { kind: 'email', email: pending_email };
  for (const photo of member.photos.filter(({ status }) => status !== 'deleted')) {
    const hash = await hashOf(context, member._id, photo);
    if (hash !== undefined) yield { kind: 'photo', photo: photo.id, hash };
  }
}

interface Authority {
  readonly staff: Caller;
  readonly reason?: string | undefined;
}

async function note(
  { moderation, security, clock }: ModerationContext,
  member: Member,
  action: 'ban' | 'unban',
  { staff, reason }: Authority,
): Promise<void> {
  const entry = { id: v7(), member: member._id, staff: staff.memberId, action, at: clock() };
  await moderation.decisions.append([{ ...entry, ...(reason !== undefined && { reason }) }]);
  security.record('staff_decision', { staff: staff.memberId, member: member.member_id, reason: action });
}

/** Adds a member's addresses and photos to the ban list, for one site or all. Safe to repeat. */
export async function banMember(
  context: ModerationContext,
  member: Member,
  { siteid, ...authority }: Authority & { readonly siteid: number | null },
): Promise<void> {
  const { staff, reason } = authority;
  const about = {
    siteid,
    member: member._id,
    staff: staff.memberId,
    ...(reason !== undefined && { reason }),
  };
  let isNew = false;
  for await (const banned of bannedOf(context, member)) {
    isNew = (await context.members.bans.put(banned, about)) || isNew;
  }
  if (isNew) await note(context, member, 'ban', authority);
}

/** Removes a member's entries from the ban list. */
export async function liftBans(context: ModerationContext, member: Member, authority: Authority) {
  if (await context.members.bans.store.removeOf(member._id)) await note(context, member, 'unban', authority);
}
