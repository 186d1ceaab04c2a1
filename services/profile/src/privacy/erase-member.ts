import type { PrivacySubject } from '@covalence/contract/internal/privacy-api';
import type { Context } from '../context.ts';
import type { Member } from '../members/document/member.ts';

/** Pairs that are removed in one turn. */
const batch = 200;

/**
 * The member is deleted for good from this write on: a sign-in that comes later finds nobody. The note of the erasure stands
 * for the date, so that those who are due are those whom nobody has tried to erase yet.
 */
async function close({ members }: Context, id: number, now: Date): Promise<Member | undefined> {
  return members.change(id, ({ erase_at }) =>
    erase_at !== undefined && erase_at <= now
      ? { deleted: true, tokens_ended_at: now, erase_at: undefined }
      : undefined,
  );
}

/** What stands between the member and others; pairs go last, because messages and threads are found by them. */
async function eraseRelations(context: Context, id: number): Promise<void> {
  const { pairs, messages, threads, counterNews, privacy } = context;
  for (;;) {
    const others = await pairs.othersOf(id, batch);
    if (!others.length) return;
    await messages.eraseBetween(id, others);
    await threads.eraseBetween(id, others);
    // What searches keep of the others' relations: before, in case of a crash, and after, for what was kept in between.
    await privacy.forgetRelations(others);
    await pairs.eraseBetween(id, others);
    counterNews.soon(others);
    await privacy.forgetRelations(others);
  }
}

/** The files of the member's photos, rejected ones that the history keeps included. Evidence of a report keeps its own. */
async function erasePhotos(context: Context, id: number, member: Member | undefined): Promise<void> {
  const { decisions, evidence, photoStorage } = context;
  const rejected = member?.unlogged?.flatMap((decision) => decision.rejected?.photo ?? []) ?? [];
  for (const photo of [...(member?.photos ?? []), ...rejected, ...(await decisions.heldOf(id))])
    if (!(await evidence.holding(photo.id))) await photoStorage.remove(photo);
}

/** Reports about the member and by them, that they filed some in the histories of others, and their words in evidence. */
async function eraseReports({ reports, decisions, evidence }: Context, id: number): Promise<void> {
  await decisions.forgetReports(await reports.filedBy(id));
  await evidence.forgetReporter(id);
  await reports.erase(id);
}

/** Everything else that this service keeps under the member's number. */
async function eraseRest(context: Context, id: number): Promise<void> {
  const { activity, decisions, exportLimits, emailLimits, usernameLimits } = context;
  const { likeQuotas, viewQuotas, resultQuotas, conversationQuotas } = context;
  await Promise.all([
    activity.erase(id),
    eraseReports(context, id),
    decisions.erase(id),
    likeQuotas.erase(id),
    viewQuotas.erase(id),
    resultQuotas.erase(id),
    conversationQuotas.erase(id),
    exportLimits.forget(id),
    emailLimits.forget(id),
    usernameLimits.forget(id),
  ]);
}

/**
 * Erases a member from every service, this one and the search index last. Each step removes what is there and may be
 * repeated; a crash or a service that is away leaves the erasure to be begun again from its first step.
 */
export async function eraseMember(context: Context, subject: PrivacySubject): Promise<void> {
  const { members, erasures, privacy, presence, logger } = context;
  const { id } = subject;
  const now = context.clock();
  await erasures.begin(subject, now);
  const member = await close(context, id, now);
  // A sign-in came first.
  if (member && !member.deleted) return erasures.end(id);
  await Promise.all(
    (['auth', 'billing', 'updates'] as const).map((keeper) => privacy.erase(keeper, subject)),
  );
  await erasePhotos(context, id, member);
  // Its own events first, which the outbox still has to send; until then the next round tries again.
  if (!(await members.erase(id))) return;
  // Nobody finds the member any more to report or block them behind this.
  await eraseRelations(context, id);
  await eraseRest(context, id);
  // Nor can anything render them, so that no event brings the search document back.
  await privacy.erase('search', subject);
  await presence.forget(id);
  await erasures.end(id);
  logger.info('a member was erased');
}
