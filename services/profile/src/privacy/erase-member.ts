import { always, eachPart, type MayGoOn } from '@covalence/events/periodic';
import type { PrivacySubject } from '@covalence/contract/internal/privacy-api';
import type { PrivacyContext } from './privacy.ts';
import type { Member } from '../members/document/member.ts';

/** Pairs that are removed in one turn. */
const batch = 200;

/**
 * The member is deleted for good from this write on: a sign-in that comes later finds nobody. The note of the erasure stands
 * for the date, so that those who are due are those whom nobody has tried to erase yet.
 */
async function close({ members }: PrivacyContext, id: number, now: Date): Promise<Member | undefined> {
  return members.store.change(id, ({ erase_at }) =>
    erase_at !== undefined && erase_at <= now
      ? { deleted: true, tokens_ended_at: now, erase_at: undefined }
      : undefined,
  );
}

/** What stands between the member and others; pairs go last, because messages and threads are found by them. */
async function eraseRelations(context: PrivacyContext, id: number): Promise<void> {
  const { pairs, privacy } = context;
  const { store: messages, threads } = context.messages;
  for (;;) {
    const others = await pairs.store.othersOf(id, batch);
    if (!others.length) return;
    await messages.eraseBetween(id, others);
    await threads.eraseBetween(id, others);
    // What searches keep of the others' relations: before, in case of a crash, and after, for what was kept in between.
    await privacy.services.forgetRelations(others);
    await pairs.store.eraseBetween(id, others);
    pairs.counterUpdates.schedule(others);
    await privacy.services.forgetRelations(others);
  }
}

/** The files of the member's photos, rejected ones that the history keeps included. Evidence of a report keeps its own. */
async function erasePhotos(context: PrivacyContext, id: number, member: Member | undefined): Promise<void> {
  const { decisions, evidence } = context.moderation;
  const rejected = member?.unlogged?.flatMap((decision) => decision.rejected?.photo ?? []) ?? [];
  for (const photo of [...(member?.photos ?? []), ...rejected, ...(await decisions.heldOf(id))])
    if (!(await evidence.holding(photo.id))) await context.photos.storage.remove(photo);
}

/** Reports about the member and by them, that they filed some in the histories of others, and their words in evidence. */
async function eraseReports(
  { moderation: { reports, decisions, evidence } }: PrivacyContext,
  id: number,
): Promise<void> {
  await decisions.forgetReports(await reports.filedBy(id));
  await evidence.forgetReporter(id);
  await reports.erase(id);
}

/** Everything else that this service keeps under the member's number. */
async function eraseRest(context: PrivacyContext, id: number): Promise<void> {
  const { members, moderation, pairs, privacy } = context;
  await Promise.all([
    pairs.activity.erase(id),
    eraseReports(context, id),
    moderation.decisions.erase(id),
    ...Object.values(pairs.quotas).map((quota) => quota.erase(id)),
    privacy.exports.forget(id),
    members.limits.emails.forget(id),
    members.limits.usernames.forget(id),
  ]);
}

/**
 * Erases a member from every service, this one and the search index last. Each step removes what is there and may be
 * repeated; a crash or a service that is away leaves the erasure to be begun again from its first step.
 */
export async function eraseMember(context: PrivacyContext, subject: PrivacySubject): Promise<void> {
  const { members, logger } = context;
  const { erasures, services } = context.privacy;
  const { id } = subject;
  const now = context.clock();
  await erasures.begin(subject, now);
  const member = await close(context, id, now);
  // A sign-in came first.
  if (member && !member.deleted) return erasures.end(id);
  await Promise.all(
    (['auth', 'billing', 'updates'] as const).map((keeper) => services.erase(keeper, subject)),
  );
  await erasePhotos(context, id, member);
  // Its own events first, which the outbox still has to send; until then the next round tries again.
  if (!(await members.store.erase(id))) return;
  // Nobody finds the member any more to report or block them behind this.
  await eraseRelations(context, id);
  await eraseRest(context, id);
  // Nor can anything render them, so that no event brings the search document back.
  await services.erase('search', subject);
  await members.presence.forget(id);
  await erasures.end(id);
  logger.info('a member was erased');
}

const membersAtOnce = 20;

/**
 * Erases the members whose time has come and takes up what a crash left. One that fails, because a service is away, is
 * logged and keeps none of the others back; the next round tries it again. Resolves with how many failed.
 */
export async function eraseMembers(context: PrivacyContext, mayGoOn: MayGoOn = always): Promise<number> {
  const { members, privacy, clock, logger } = context;
  const [left, due] = await Promise.all([
    privacy.erasures.underWay(membersAtOnce),
    members.store.dueForErasure(clock(), membersAtOnce),
  ]);
  const subjects = new Map([...left, ...due].map(({ _id, member_id }) => [_id, member_id]));
  return eachPart(subjects, ([id, member_id]) => eraseMember(context, { id, member_id }), {
    mayGoOn,
    logger,
    left: 'an erasure is left to the next round',
  });
}
