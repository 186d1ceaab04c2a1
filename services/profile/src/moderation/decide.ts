import { notFound } from '@covalence/contract/failure';
import type { Caller } from '@covalence/http/endpoint';
import { v7 } from 'uuid';
import { z } from 'zod';
import type { ModerationContext } from './moderation.ts';
import type { MemberPatch, ExtraEvent } from '../members/store/member-store.ts';
import type { Member, Decision, Rejected } from '../members/document/member.ts';

/** What a decision changes. */
export interface Ruling {
  readonly patch: MemberPatch;
  readonly entry: Pick<Decision, 'action' | 'field' | 'photo' | 'before' | 'after'> & {
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
};

/** A decision as staff and the member's export show it. */
export const decisionView = ({ at, action, reason, field, photo, rejected, before, after }: Decision) => ({
  at: at.toISOString(),
  action,
  reason: reason ?? null,
  ...(field !== undefined && { field }),
  ...(photo !== undefined && { photoid: photo }),
  ...(rejected?.text !== undefined && { text: rejected.text }),
  ...(before !== undefined && { before }),
  ...(after !== undefined && { after }),
});

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

/** Decides on a member: change, history entry and notification in one atomic write. `rule` may run several times. */
export async function decide(
  context: ModerationContext,
  id: number,
  { staff, reason }: { readonly staff: Caller; readonly reason?: string | undefined },
  rule: (member: Member) => Ruling | undefined,
): Promise<{ readonly changed: boolean; readonly member: Member }> {
  let ruling: Ruling | undefined;
  const member = await context.members.store.change(
    id,
    (current) => {
      ruling = rule(current);
      if (!ruling) return undefined;
      const at = context.clock();
      const { rejected, ...entry } = ruling.entry;
      const decision: Decision = {
        id: v7(),
        member: id,
        staff: staff.memberId,
        at,
        ...entry,
        ...(rejected && { rejected: { since: at, ...rejected } }),
        ...(reason !== undefined && { reason }),
      };
      return { ...ruling.patch, unlogged: [...(current.unlogged ?? []), decision] };
    },
    () => (ruling?.notification ? [ruling.notification] : []),
  );
  if (!member) throw notFound();
  const changed = ruling !== undefined;
  if (changed) {
    const { action } = member.unlogged?.at(-1) ?? {};
    const facts = { staff: staff.memberId, member: member.member_id, reason: action };
    context.security.record('staff_decision', facts);
  }
  await tryMoveDecisions(context, member);
  return { changed, member };
}
