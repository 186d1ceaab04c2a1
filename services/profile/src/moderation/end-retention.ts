import { dayMs } from '@covalence/contract/time';
import { always, eachPart, type MayGoOn } from '@covalence/events/periodic';
import type { ModerationContext } from './moderation.ts';
import type { Decision, HeldPhoto } from '../members/document/member.ts';
import { reportKey } from './store/report-store.ts';
import { withStatus } from '../photos/photo-list.ts';
import { purgePhotos, settleUpload } from '../photos/purge-photos.ts';
import type { Evidence } from './store/evidence-store.ts';

const batch = 100;

/** Drops references to photos, then removes the files that nothing refers to; the upload notes make this safe against a crash. */
async function releasing(
  context: ModerationContext,
  photos: readonly HeldPhoto[],
  release: () => Promise<void>,
): Promise<void> {
  for (const photo of photos) await context.photos.uploads.begin(photo, context.clock());
  await release();
  for (const photo of photos) await settleUpload(context, photo);
}

async function dropRejected(context: ModerationContext, { id }: HeldPhoto): Promise<void> {
  if (await context.moderation.decisions.holding(id)) return;
  const owner = await context.members.store.byPhoto(id);
  if (!owner) return;
  const after = await context.members.store.change(owner._id, ({ photos }) =>
    photos.some((photo) => photo.id === id && photo.status === 'rejected')
      ? { photos: withStatus(photos, id, 'deleted') }
      : undefined,
  );
  if (after) await purgePhotos(context, after);
}

async function forgetRejected(context: ModerationContext, { id, rejected }: Decision): Promise<void> {
  // It is needed to decide the appeal, and to take the rejection back.
  if ((await context.moderation.appeals.against(id))?.waits) return;
  const photos = rejected?.photo ? [rejected.photo] : [];
  await releasing(context, photos, async () => {
    await context.moderation.decisions.forgetRejected(id);
    for (const photo of photos) await dropRejected(context, photo);
  });
}

/** Whether evidence must be kept: its report is open, was closed within the retention time, or its closing is appealed. */
async function hasToStay(
  { moderation: { appeals, reports } }: ModerationContext,
  evidence: Evidence,
  before: Date,
) {
  const { reported, reporter } = evidence;
  const report = reporter === undefined ? undefined : await reports.find(reportKey(reported, reporter));
  if (!report) return false;
  if (report.closed_at === undefined || report.closed_at >= before) return true;
  return report.closed_as !== undefined && (await appeals.against(report.closed_as))?.waits === true;
}

async function endEvidence(context: ModerationContext, evidence: Evidence, before: Date): Promise<void> {
  const { id, reported, photos } = evidence;
  if (await hasToStay(context, evidence, before))
    return context.moderation.evidence.checked(id, context.clock());
  await releasing(context, photos, () => context.moderation.evidence.remove(id));
  // The history of an erased member only lists who viewed the evidence.
  const others = await context.moderation.evidence.about(reported, 1);
  if (!others.length && !(await context.members.store.byId(reported)))
    await context.moderation.decisions.erase(reported);
}

/** Forgets a deletion that was kept for appeals after the erasure of its member. */
async function forgetClosed({ members, moderation }: ModerationContext, { id, member }: Decision) {
  if ((await moderation.appeals.against(id))?.waits) return;
  await members.bans.store.forget(member);
  await moderation.appeals.erase(member);
  await moderation.decisions.eraseClosed(member);
}

/** Job: deletes rejected texts and photos, and evidence of reports, when their retention ends, and what is left of erased members for appeals. Resolves with how many failed. */
export async function endRetention(context: ModerationContext, mayGoOn: MayGoOn = always): Promise<number> {
  const { clock, logger } = context;
  const { decisions, evidence, evidenceDays, rejectedDays } = context.moderation;
  const ago = (days: number) => new Date(clock().getTime() - days * dayMs);
  const before = ago(evidenceDays);
  const rejections = await decisions.rejectedBefore(ago(rejectedDays), batch);
  const reported = await evidence.toCheck(before, batch);
  const closed = await decisions.closedUntil(clock(), batch);
  const work = [
    ...rejections.map((decision) => () => forgetRejected(context, decision)),
    ...closed.map((decision) => () => forgetClosed(context, decision)),
    ...reported.map((each) => () => endEvidence(context, each, before)),
  ];
  return eachPart(work, (end) => end(), {
    mayGoOn,
    logger,
    left: 'retention not ended: will retry',
  });
}
