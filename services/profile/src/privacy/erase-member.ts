import { always, eachPart, type MayGoOn } from '@covalence/events/periodic';
import { answerDays } from '@covalence/contract/peers/appeals-api';
import type { PrivacySubject } from '@covalence/contract/peers/privacy-api';
import { dayMs } from '@covalence/contract/time';
import type { PrivacyContext } from './privacy.ts';
import type { Member } from '../members/document/member.ts';
import { localeFor } from '../members/members.ts';
import { appealableUntil, appealStateOf } from '../moderation/appeal-state.ts';
import { finishApprovals } from '../moderation/approvals/run-approval.ts';
import { moveDecisions } from '../moderation/decide.ts';

const batch = 200;

/** Marks the member as deleted for good. Clears the due date, because the erasure has a note of its own now. */
async function close({ members }: PrivacyContext, id: number, now: Date): Promise<Member | undefined> {
  return members.store.change(id, ({ erase_at }) =>
    erase_at !== undefined && erase_at <= now
      ? { deleted: true, tokens_ended_at: now, erase_at: undefined }
      : undefined,
  );
}

/** Whether an appeal of the member against a deletion waits, or is granted and still runs. Then the erasure waits, too. */
async function waitsForAppeal({ members, moderation, clock }: PrivacyContext, id: number): Promise<boolean> {
  const open = (await moderation.appeals.of(id)).filter(({ waits, runs }) => waits ?? runs);
  const against = await Promise.all(open.map(({ decision }) => moderation.decisions.find(decision)));
  if (!against.some((decision) => decision?.action === 'delete')) return false;
  const now = clock();
  const member = await members.store.change(id, ({ deleted, erase_at }) =>
    deleted && erase_at !== undefined && erase_at <= now
      ? { erase_at: new Date(now.getTime() + dayMs) }
      : undefined,
  );
  return member?.deleted === true && member.erase_at !== undefined;
}

/** Keeps what an appeal against a deletion by staff needs after the erasure, while one can be filed, waits or runs. */
async function keepForAppeal(context: PrivacyContext, member: Member): Promise<void> {
  const { decisions, appeals } = context.moderation;
  await moveDecisions(context, member);
  const deletion = await decisions.latest(member._id, 'delete');
  if (!deletion?.statement) return;
  const [appeal, isReversed] = await Promise.all([
    appeals.against(deletion.id),
    decisions.isUndone(deletion),
  ]);
  const state = appealStateOf(deletion, appeal, { isReversed, now: context.clock() });
  if (state !== 'open' && state !== 'waiting' && !appeal?.runs) return;
  const { member_id, siteid } = member;
  const locale = localeFor(context, member);
  const until = new Date(appealableUntil(deletion).getTime() + answerDays * dayMs);
  await decisions.close(deletion.id, { member_id, siteid, locale, until });
}

/** Erases messages, threads and pairs; pairs last, because the others are found by them. */
async function eraseRelations(context: PrivacyContext, id: number): Promise<void> {
  const { pairs } = context;
  const { store: messages, threads } = context.messages;
  for (;;) {
    const others = await pairs.store.othersOf(id, batch);
    if (!others.length) return;
    await messages.eraseBetween(id, others);
    await threads.eraseBetween(id, others);
    await pairs.store.eraseBetween(id, others);
    pairs.counterUpdates.schedule(others);
  }
}

/** Removes the files of the member's photos, also of rejected ones in the history, except those that evidence holds. */
async function erasePhotos(context: PrivacyContext, id: number, member: Member | undefined): Promise<void> {
  const { decisions, evidence } = context.moderation;
  const rejected = member?.unlogged?.flatMap((decision) => decision.rejected?.photo ?? []) ?? [];
  for (const photo of [...(member?.photos ?? []), ...rejected, ...(await decisions.heldOf(id))])
    if (!(await evidence.holding(photo.id))) await context.photos.storage.remove(photo);
}

/** Erases reports about the member, with appeals of their reporters, and by the member, and the member as reporter in histories and evidence. */
async function eraseReports({ moderation }: PrivacyContext, id: number): Promise<void> {
  const { appeals, reports, decisions, evidence } = moderation;
  await decisions.forgetReports(await reports.filedBy(id));
  await evidence.forgetReporter(id);
  await reports.erase(id);
  await appeals.eraseAbout(id);
}

async function eraseRest(context: PrivacyContext, id: number): Promise<void> {
  const { members, moderation, pairs, privacy } = context;
  const closed = await moderation.decisions.closedOf(id);
  await Promise.all([
    pairs.activity.erase(id),
    eraseReports(context, id),
    moderation.decisions.erase(id),
    moderation.appeals.erase(id, closed),
    moderation.approvals.erase(id, context.clock()),
    moderation.notes.erase(id),
    moderation.claims.erase(id),
    moderation.undoable.erase(id),
    moderation.warnings.erase(id),
    moderation.signals.erase(id),
    moderation.scamFlags.forget(id),
    ...Object.values(pairs.quotas).map((quota) => quota.erase(id)),
    privacy.exports.forget(id),
    // A granted appeal lifts the bans.
    members.bans.store.forget(id, closed.length > 0),
    members.limits.emails.forget(id),
    members.limits.usernames.forget(id),
  ]);
}

/**
 * Erases a member from every service, from this one and the search index last. Each step is safe to repeat: after a
 * crash or an outage the erasure starts again from the first step.
 */
export async function eraseMember(context: PrivacyContext, subject: PrivacySubject): Promise<void> {
  const { members, logger } = context;
  const { erasures } = context.privacy;
  const { auth, billing, updates, search } = context.privacy.services;
  const { id } = subject;
  const now = context.clock();
  if (await waitsForAppeal(context, id)) return;
  await erasures.begin(subject, now);
  const member = await close(context, id, now);
  // The member signed in before the erasure began.
  if (member && !member.deleted) return erasures.end(id);
  await finishApprovals(context, id);
  await Promise.all([auth, billing, updates].map((service) => service.eraseMember(subject)));
  await erasePhotos(context, id, member);
  // Before the member, so that no open report is about nobody.
  await eraseReports(context, id);
  if (member) await keepForAppeal(context, member);
  // The outbox still has events to publish; the next round retries.
  if (!(await members.store.erase(id))) return;
  // From here on nobody can report or block the member.
  await eraseRelations(context, id);
  await eraseRest(context, id);
  // Nothing can render the member any more, so no event can restore the search document.
  await search.eraseMember(subject);
  await members.presence.forget(id);
  await erasures.end(id);
  logger.info('member erased');
}

const membersAtOnce = 20;

/** Job: erases the members who are due, and continues interrupted erasures. Resolves with how many failed. */
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
    left: 'member not erased: will retry',
  });
}
