import { booleanParameter } from '@covalence/contract/parameters';
import { coversSite, type StaffSites } from '@covalence/contract/staff-roles';
import type { Caller } from '@covalence/http/endpoint';
import { v7 } from 'uuid';
import { always, eachPart, type MayGoOn } from '@covalence/events/periodic';
import type { Banned } from '../../members/bans.ts';
import type { Decision, HeldPhoto, Member, Suspicion } from '../../members/document/member.ts';
import type { Ban } from '../../members/store/ban-store.ts';
import { memberSuspicionOf } from '../../members/document/suspicion.ts';
import { groupOf } from '../../members/members.ts';
import { imageTypeOf } from '../../photos/image/image-type.ts';
import type { ModerationContext } from '../moderation.ts';
import { reasonsOf, type Why } from '../statement.ts';
import { logDecision } from '../decide.ts';

/** The sizes that show the whole photo, the best first; the others are crops. */
const wholeSizes = [1600, 800, 400];
/** Photos of one ban, the newest: each takes part of a second. */
export const mostPhotos = 100;

/** The hash of a stored photo; undefined where its file is missing or it has too little structure. */
async function hashOf(
  { photos }: ModerationContext,
  member: number,
  photo: HeldPhoto,
): Promise<Uint8Array | undefined> {
  const size = wholeSizes.find((each) => photo.sizes.includes(each));
  const stored = size === undefined ? undefined : await photos.storage.bytesOf(photo, size);
  const bytes = Buffer.from(stored ?? []);
  const type = imageTypeOf(bytes);
  if (!type) return undefined;
  const result = await photos.pool.render(member, { bytes, type });
  return 'rendered' in result ? result.rendered.hashes[0] : undefined;
}

/** The member's photos, also deleted ones that a rejection or a report keeps, the newest first. */
export async function bannablePhotos(
  { moderation }: ModerationContext,
  member: Member,
): Promise<HeldPhoto[]> {
  const { decisions, evidence } = moderation;
  const [rejected, reported] = await Promise.all([decisions.heldOf(member._id), evidence.heldOf(member._id)]);
  const own = member.photos.filter(({ status }) => status !== 'deleted');
  const all = new Map([...rejected, ...reported, ...own].map((photo) => [photo.id, photo]));
  return [...all.values()].sort((one, other) => other.id - one.id);
}

/** The parts of a member to ban. */
interface Wanted {
  /** The addresses of the account, and the devices that it had at the decision. */
  readonly email: boolean;
  readonly photos: readonly HeldPhoto[];
}

async function emailsOf({ auth }: ModerationContext, { member_id }: Member): Promise<Banned[]> {
  const { email, pending_email, protected_emails = [] } = await auth.readEmail({ member_id });
  const all = [email, ...(pending_email === undefined ? [] : [pending_email]), ...protected_emails];
  return all.map((each) => ({ kind: 'email', email: each }));
}

const devicesOf = ({ banned_devices = [] }: Member): Banned[] =>
  banned_devices.map((device) => ({ kind: 'device', device }));

async function photosOf(context: ModerationContext, { _id }: Member, photos: readonly HeldPhoto[]) {
  const banned: Banned[] = [];
  for (const photo of photos.slice(0, mostPhotos)) {
    const hash = await hashOf(context, _id, photo);
    if (hash) banned.push({ kind: 'photo', photo: photo.id, hash });
  }
  return banned;
}

/** Marks the accounts of other sites, where the ban holds, that have one of the banned addresses. */
async function markOthers(
  context: ModerationContext,
  member: Member,
  banned: readonly Banned[],
  entries: readonly Ban[],
) {
  const { auth, sites, members } = context;
  const emails = banned.flatMap((each) => (each.kind === 'email' ? [each.email] : []));
  const matches = entries.filter(({ kind }) => kind === 'email');
  const siteids = matches.some(({ siteid }) => siteid === null)
    ? [...sites.keys()]
    : groupOf(sites, member.siteid);
  for (const value of emails) {
    const { member_ids } = await auth.findAccounts({ by: 'email', value, siteids, limit: sites.size });
    for (const id of member_ids) {
      const other = id === member.member_id ? undefined : await members.store.byUuid(id);
      if (other)
        await members.store.change(other._id, (current) => memberSuspicionOf('email', matches, current));
    }
  }
}

interface Authority extends Why {
  /** The approval by a second person. */
  readonly approval?: { readonly by: string } | undefined;
  readonly staff: Pick<Caller, 'memberId'>;
  readonly sites: StaffSites;
}

/** Records a change of the ban list before it is made. */
async function note(
  context: ModerationContext,
  member: number | undefined,
  action: 'ban' | 'unban',
  { staff: { memberId: staff }, approval, reason }: Authority,
  notice: Pick<Decision, 'statement' | 'tell_at'> = {},
): Promise<void> {
  const why = { ...(reason !== undefined && { reason }), ...notice };
  const by = { staff, ...(approval && { approved_by: approval.by }) };
  const entry = { id: v7(), ...by, action, at: context.clock(), ...why };
  if (member === undefined) context.security.record('staff_decision', { staff, reason: action });
  else await logDecision(context, { ...entry, member });
}

/** Removes entries, of which the history of each member has the removal. */
export async function removeBans(context: ModerationContext, entries: readonly Ban[], authority: Authority) {
  if (!entries.length) return;
  for (const member of new Set(entries.map((entry) => entry.member)))
    await note(context, member, 'unban', authority);
  await context.members.bans.store.remove(entries);
}

/** The parameter of approvals that removes the matches. */
export const removeBansInput = booleanParameter.optional().meta({
  type: 'boolean',
  description:
    'Also removes the entries of the ban list that matched, where the role covers their sites; an undo does not add them again.',
});

/** The entries that match what staff approve, where the role of the caller covers their sites. */
export const matchesOf = async (
  { members }: ModerationContext,
  { ban_matches = [] }: Suspicion,
  sites: StaffSites,
): Promise<Ban[]> => removable(await members.bans.store.findMany(ban_matches), sites);

/** The approval keeps the entries until they are removed, because it forgets the matches. */
export const unbansOf = (entries: readonly Ban[]): Pick<Decision, 'unbans'> =>
  entries.length ? { unbans: entries.map(({ id, expires_at }) => ({ id, expires_at })) } : {};

/** Those of some entries that the role of the caller covers. */
export const removable = (entries: readonly Ban[], sites: StaffSites): Ban[] =>
  entries.filter(({ siteid }) => coversSite(sites, siteid ?? undefined));

/**
 * Removes the entries of a member who is neither suspended nor deleted. The entries are read first, so that those of a
 * suspension after that stay. Resolves with whether it removed any.
 */
export async function liftBans(
  context: ModerationContext,
  id: number,
  authority: Authority,
): Promise<boolean> {
  const { store, bans } = context.members;
  const entries = removable(await bans.store.of(id), authority.sites);
  const member = entries.length ? await store.byId(id) : undefined;
  if (!member || member.suspended || member.deleted) return false;
  await removeBans(context, entries, authority);
  return true;
}

/** Whether two entries ban the same. */
const same = (one: Ban) => (other: Ban) => one.mac === other.mac && one.photo === other.photo;

/**
 * Adds addresses, devices and photos of a member to the ban list, for one site or all. Safe to repeat. `isStated`: no decision beside it
 * states the reasons to the member.
 */
export async function banMember(
  context: ModerationContext,
  member: Member,
  { email, photos }: Wanted,
  {
    siteid,
    isStated,
    ...authority
  }: Authority & { readonly siteid: number | null; readonly isStated: boolean },
) {
  const { bans } = context.members;
  const { staff } = authority;
  const times = { at: context.clock(), kind: 'account' } as const;
  const { reason, ...stated } = reasonsOf(context, member, { action: 'ban' }, authority, times);
  const { statement, tell_at } = stated;
  const notice = isStated && statement && tell_at ? { statement, tell_at } : {};
  const about = {
    siteid,
    member: member._id,
    staff: staff.memberId,
    ...(reason !== undefined && { reason }),
  };
  // Everything that can fail comes before the first write.
  const banned = [
    ...(email ? [...(await emailsOf(context, member)), ...devicesOf(member)] : []),
    ...(await photosOf(context, member, photos)),
  ];
  const hashed = new Set(banned.flatMap((each) => (each.kind === 'photo' ? [each.photo] : [])));
  const skipped = photos.map(({ id }) => id).filter((id) => !hashed.has(id));
  const before = (await bans.store.of(member._id)).filter((each) => each.siteid === siteid);
  const entries = banned.map((each) => bans.entry(each, about));
  const wanted = entries.filter((each, index) => entries.findIndex(same(each)) === index);
  const added = wanted.filter((each) => !before.some(same(each))).length;
  if (added) await note(context, member._id, 'ban', { ...authority, reason }, notice);
  for (const each of wanted) await bans.store.put(each);
  const listed = (await bans.store.of(member._id)).filter((each) => wanted.some(same(each)));
  await markOthers(context, member, banned, listed);
  // Somebody ended the suspension meanwhile.
  const isLifted = await liftBans(context, member._id, { staff, sites: authority.sites });
  return isLifted ? { listed: 0, added: 0, skipped } : { listed: wanted.length, added, skipped };
}

const batch = 50;

/** Entries are removed by the call that approves; after this time, ms, the call has failed. */
const callMs = 60_000;

/** Removes what an approval has to remove from the ban list, unless it was undone, or the entry was renewed. Safe to repeat. */
async function removeUnbans(context: ModerationContext, decision: Decision): Promise<void> {
  const { members, moderation } = context;
  const { id, member, staff: memberId, reason, unbans = [] } = decision;
  if (!(await moderation.decisions.undoneOf(member, [id])).size) {
    const seen = new Map(unbans.map(({ id: entry, expires_at }) => [entry, expires_at.getTime()]));
    const entries = await members.bans.store.findMany([...seen.keys()]);
    const former = entries.filter(({ id: entry, expires_at }) => seen.get(entry) === expires_at.getTime());
    await removeBans(context, former, { staff: { memberId }, sites: 'all', reason });
  }
  await moderation.decisions.unbanned(id);
}

/** Removes what approvals of a member have to remove from the ban list, also those of an earlier call that failed. */
export async function removeUnbansOf(context: ModerationContext, member: number): Promise<void> {
  for (const decision of await context.moderation.decisions.toUnban({ member }, batch))
    await removeUnbans(context, decision);
}

/** Job: removes entries of the ban list whose approval was made, and whose call did not remove them. Resolves with how many failed. */
export async function runUnbans(context: ModerationContext, mayGoOn: MayGoOn = always): Promise<number> {
  const { moderation, clock, logger } = context;
  const before = new Date(clock().getTime() - callMs);
  const left = await moderation.decisions.toUnban({ before }, batch);
  return eachPart(left, (decision) => removeUnbans(context, decision), {
    mayGoOn,
    logger,
    left: 'entries of the ban list not removed: will retry',
    about: ({ member }) => ({ member }),
  });
}
