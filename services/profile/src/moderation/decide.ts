import { Failure, notFound, orNotFound } from '@covalence/contract/failure';
import type { Caller } from '@covalence/http/endpoint';
import { v7 } from 'uuid';
import { z } from 'zod';
import { changesOf } from './changes.ts';
import { requireUnclaimed, settleClaim } from './hold-claim.ts';
import type { ModerationContext } from './moderation.ts';
import { detectionOf, reasonsOf, statementSchema, statementView, undoMs, type Why } from './statement.ts';
import { proposalAfter } from './strikes.ts';
import type { Change, Made } from './store/undo-store.ts';
import type { WaitingKind } from '../members/document/account-status.ts';
import type { MemberPatch, ExtraEvent } from '../members/store/member-store.ts';
import type { Member, Decision, Rejected } from '../members/document/member.ts';

/** The effects of a decision. */
export interface Ruling {
  readonly patch: MemberPatch;
  readonly entry: Pick<
    Decision,
    'action' | 'field' | 'photo' | 'undoes' | 'ineffective' | 'unbans' | 'before' | 'after'
  > & {
    readonly rejected?: Omit<Rejected, 'since'>;
  };
  readonly notification?: ExtraEvent;
}

/** The fields of a decision as staff and the member's export show it. */
export const decisionViewShape = {
  at: z.iso.datetime(),
  action: z.string().meta({ examples: ['approve'] }),
  reason: z.string().nullable(),
  field: z.string().optional(),
  photoid: z.int().optional(),
  text: z.string().optional(),
  before: z.string().optional(),
  after: z.string().optional(),
  statement: statementSchema.optional(),
};

/** A decision as staff and the member's export show it. */
export const decisionView = ({
  at,
  action,
  reason,
  field,
  photo,
  rejected,
  before,
  after,
  statement,
}: Decision) => ({
  at: at.toISOString(),
  action,
  reason: reason ?? null,
  field,
  photoid: photo,
  text: rejected?.text,
  before,
  after,
  statement: statement && statementView(statement),
});

/** Writes an entry that goes with no change of a member to the history and the security log. */
export async function logDecision(
  { moderation, security }: ModerationContext,
  decision: Decision,
): Promise<void> {
  await moderation.decisions.append([decision]);
  const { staff, member: memberNumber, action: reason } = decision;
  security.record('staff_decision', { staff, memberNumber, reason });
}

/** Moves decisions from the member to the history. */
export async function moveDecisions(
  { moderation, members }: Pick<ModerationContext, 'moderation' | 'members'>,
  { _id, unlogged = [] }: Member,
): Promise<void> {
  if (!unlogged.length) return;
  await moderation.decisions.append(unlogged);
  const ids = unlogged.map(({ id }) => id);
  await members.store.forgetLogged(_id, ids);
}

/** The same; after a failure the decisions stay on the member, where the history reads them later. */
export async function tryMoveDecisions(context: ModerationContext, member: Member): Promise<void> {
  await moveDecisions(context, member).catch((error: unknown) => {
    const facts = { err: error, member: member._id };
    context.logger.warn(facts, 'decisions not moved to the history; they stay on the member');
  });
}

/** The deciding staff account and the reasons; `kind` is the kind of the decided queue entry. */
export interface Authority extends Why {
  readonly staff: Pick<Caller, 'memberId'>;
  /** The second person's approval; the decision takes the id `as`, so that it is made once. */
  readonly approval?: { readonly by: string; readonly as: string } | undefined;
  readonly kind?: WaitingKind | undefined;
  /** Revision of the entry that the caller saw. */
  readonly revision?: string | undefined;
}

/** A decision that was made. */
interface Outcome {
  readonly decision: Decision;
  readonly changes: readonly Change[];
  readonly since: Date | undefined;
  readonly told: boolean;
  readonly revision: string | undefined;
}

/** Keeps what a decision changed, to undo it. Without this note, after a crash, the decision stands. */
async function noteUndoable(
  context: ModerationContext,
  kind: WaitingKind,
  { decision, ...made }: Outcome,
): Promise<void> {
  const { id, member, staff, action, field, photo, at } = decision;
  const until = new Date(at.getTime() + undoMs);
  await context.moderation.undoable
    .add({ id, member, staff, action, kind, field, photo, ...made, until })
    .catch((error: unknown) => {
      context.logger.warn(
        { err: error, member },
        'storing the undo of a decision failed: it cannot be undone',
      );
    });
}

/**
 * Makes a decision. Where it conflicts because the same call has made it already, as after a lost answer, resolves with that one,
 * which changed nothing now.
 */
export async function unlessMade<T>(
  { moderation, members, clock }: ModerationContext,
  made: Made,
  decideOn: () => Promise<T>,
): Promise<T | { readonly changed: false; readonly member: Member; readonly decision: string }> {
  try {
    return await decideOn();
  } catch (error) {
    const isConflict = error instanceof Failure && error.status === 409 && made.revision !== undefined;
    const decision = isConflict ? await moderation.undoable.made(made, clock()) : undefined;
    const member = decision === undefined ? undefined : await members.store.byId(made.member);
    if (decision === undefined || !member) throw error;
    return { changed: false, member, decision };
  }
}

/** Throws 404 for a report that is not about the member. */
export async function requireReportOf({ moderation }: ModerationContext, { report_id }: Why, member: number) {
  if (report_id === undefined) return;
  const found = await moderation.reports.find(report_id);
  if (found?.reported !== member) throw notFound();
}

/**
 * Whether signals of scams led staff to a member whom neither a report nor the queue led to. Without the mode `on` they are in a list of
 * their own.
 */
async function isFlaggedAsScam(
  { moderation }: ModerationContext,
  id: number,
  { kind, report_id }: Authority,
) {
  if (report_id !== undefined || kind !== undefined) return false;
  return (await moderation.scamFlags.openOf(id)).length > 0;
}

/** Decides on a member: change, history entry and notification in one atomic write. `rule` may run several times. */
export async function decide(
  context: ModerationContext,
  id: number,
  authority: Authority,
  rule: (member: Member) => Ruling | undefined | Promise<Ruling | undefined>,
): Promise<{ readonly changed: boolean; readonly member: Member; readonly decision?: string }> {
  const { staff, approval, kind, revision, ...why } = authority;
  if (kind) await requireUnclaimed(context, { kind, key: id }, staff);
  await requireReportOf(context, why, id);
  const isFlagged = await isFlaggedAsScam(context, id, authority);
  let ruling: Ruling | undefined;
  let made: Outcome | undefined;
  const changed = await context.members.store.change(
    id,
    async (current) => {
      ruling = await rule(current);
      if (!ruling) return undefined;
      const at = context.clock();
      const { rejected, ...entry } = ruling.entry;
      const detection = entry.undoes === undefined ? detectionOf(current, entry, isFlagged) : undefined;
      const decision: Decision = {
        id: approval?.as ?? v7(),
        member: id,
        staff: staff.memberId,
        ...(approval && { approved_by: approval.by }),
        at,
        ...entry,
        ...(detection && { detection }),
        ...(rejected && { rejected: { since: at, ...rejected } }),
        ...reasonsOf(context, current, entry, why, { at, kind: kind ?? 'account', isFlagged }),
      };
      const changes = changesOf(current, ruling.patch, entry.photo);
      const told = ruling.notification !== undefined;
      made = { decision, changes, since: kind && current.waiting?.[kind], told, revision };
      const patch = { ...ruling.patch, unlogged: [...(current.unlogged ?? []), decision] };
      return { ...patch, ...(await proposalAfter(context, { ...current, ...patch }, decision)) };
    },
    () => (ruling?.notification ? [ruling.notification] : []),
  );
  const member = orNotFound(changed);
  if (!ruling || !made) {
    await tryMoveDecisions(context, member);
    return { changed: false, member };
  }
  const { decision } = made;
  if (decision.undoes !== undefined) await context.moderation.warnings.end(decision.undoes, decision.at);
  const facts = { staff: staff.memberId, member: member.member_id, reason: decision.action };
  context.security.record('staff_decision', facts);
  context.metrics.staffDecisions.inc({ kind: kind ?? 'account' });
  if (kind && decision.undoes === undefined) await noteUndoable(context, kind, made);
  await tryMoveDecisions(context, member);
  if (kind) await settleClaim(context, kind, member, staff);
  return { changed: true, member, ...(kind && { decision: decision.id }) };
}
