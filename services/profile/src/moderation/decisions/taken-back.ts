import type { Caller } from '@covalence/http/endpoint';
import { v7 } from 'uuid';
import type { Member, StaffAction } from '../../members/document/member.ts';
import { moveDecisions, type Ruling } from '../decide.ts';
import type { ModerationContext } from '../moderation.ts';
import { groundOf } from '../saved-reasons.ts';

interface Asked {
  readonly reason_id?: string | undefined;
  readonly mistaken?: boolean | undefined;
}

/** Whether a member is what an action makes of them. */
const isSo: Partial<Record<StaffAction, (member: Member) => boolean>> = {
  suspend: ({ suspended, deleted }) => suspended && !deleted,
  delete: ({ deleted }) => deleted,
};

/**
 * The decision that an action takes back: the deletion or mistaken suspension that it ends, or a suspension or deletion for another
 * reason, where it turns out to be for fraud. `restated` is the ruling on that, which changes the reasons only.
 */
export async function takenBackBy(
  context: ModerationContext,
  member: Member,
  action: StaffAction,
  { reason_id, mistaken }: Asked,
): Promise<{ readonly undoes?: string | undefined; readonly restated?: Ruling }> {
  const { decisions, savedReasons } = context.moderation;
  const isFraud = (ground: string | undefined) => groundOf(ground, savedReasons)?.fraud === true;
  const latest = async (made: StaffAction) => {
    await moveDecisions(context, member);
    return decisions.latest(member._id, made);
  };
  if (action === 'undelete') return { undoes: (await latest('delete'))?.id };
  if (action === 'unsuspend' && mistaken) return { undoes: (await latest('suspend'))?.id };
  if (!isSo[action]?.(member) || !isFraud(reason_id)) return {};
  const before = await latest(action);
  if (isFraud(before?.statement?.ground)) return {};
  return { undoes: before?.id, restated: { patch: {}, entry: { action } } };
}

/** Grants the appeal that waits against a decision which was taken back. */
export async function grantAgainst(
  { moderation, clock }: ModerationContext,
  { _id }: Member,
  decision: string,
  { memberId: staff }: Pick<Caller, 'memberId'>,
): Promise<void> {
  const appeal = await moderation.appeals.against(decision);
  if (!appeal?.waits || !(await moderation.decisions.isUndone({ id: decision, member: _id }))) return;
  await moderation.appeals.decide(appeal.id, { at: clock(), staff, as: v7(), outcome: 'granted' });
  await moderation.appeals.ran(appeal.id);
}
