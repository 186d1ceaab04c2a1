import { conflicting, forbidden, orNotFound } from '@covalence/contract/failure';
import { failCodes } from '@covalence/contract/failure-codes';
import { coversSite, sitesWith } from '@covalence/contract/staff-roles';
import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import type { Member } from '../../members/document/member.ts';
import { takingBack } from '../changes.ts';
import { memberEntryName } from '../store/claim-store.ts';
import { decide, type Ruling } from '../decide.ts';
import { claimTimes } from '../hold-claim.ts';
import type { ModerationContext } from '../moderation.ts';
import type { Undoable } from '../store/undo-store.ts';
import { restoreNames } from './decide-text.ts';

/** The member of a decision that can be undone. Throws 404 where there is none, or its time has passed. */
async function undoableOf({ moderation, members, clock }: ModerationContext, id: string) {
  const undoable = orNotFound(await moderation.undoable.find(id, clock()));
  return { undoable, member: orNotFound(await members.store.byId(undoable.member)) };
}

function ruleOnUndo(member: Member, { id, kind, field, photo, changes, since, told }: Undoable): Ruling {
  const patch = member.deleted ? undefined : takingBack(member, changes);
  if (!patch) throw conflicting();
  return {
    patch: { ...patch, ...(since && { waiting: { ...member.waiting, [kind]: since } }) },
    entry: {
      action: 'undo',
      undoes: id,
      ...(field !== undefined && { field }),
      ...(photo !== undefined && { photo }),
    },
    ...(told && {
      notification: {
        type: 'moderation.decided',
        data: { subject: kind, decision: 'undone', ...(field && { field }), ...(photo && { photo }) },
      },
    }),
  };
}

/** The username before a decision, in force or waiting, where the decision changed it. */
const nameBefore = ({ changes }: Undoable, key: 'fields' | 'pending'): string | undefined => {
  const change = changes.find((each) => each.key === key && each.name === 'username');
  return typeof change?.before === 'string' ? change.before : undefined;
};

/** Takes the login names of before first, which somebody else may have by now. Any failure reverts that. */
async function withNames<T>(
  context: ModerationContext,
  { _id, member_id }: Member,
  undoable: Undoable,
  undo: () => Promise<T>,
): Promise<T> {
  const [current, pending] = [nameBefore(undoable, 'fields'), nameBefore(undoable, 'pending')];
  if (current === undefined && pending === undefined) return undo();
  try {
    if (current !== undefined) await context.auth.applyUsername({ member_id, username: current });
    if (pending !== undefined) await context.auth.claimUsername({ member_id, username: pending });
    return await undo();
  } catch (error) {
    await restoreNames(context, _id);
    throw error;
  }
}

/** POST /staff/decisions/{decisionid}/undo */
export const undoDecision = endpoint({
  access: 'staff',
  staff: {
    roles: ['moderator'],
    site: async ({ decisionid }: { readonly decisionid: string }, context: ModerationContext) =>
      (await undoableOf(context, decisionid)).member.siteid,
    about: async ({ decisionid }, context: ModerationContext) => [
      (await undoableOf(context, decisionid)).member._id,
    ],
  },
  operationId: 'undoStaffDecision',
  summary: 'Undo a decision',
  description:
    'Takes back the approval or rejection of a profile, text or photo within 30 seconds: it waits again at its former place in the queue, claimed by the caller, or returns to its former state. If the member was notified of the decision, they are notified of the undo (`undone`). Only the account that decided, or `admin`, may undo; later it is 404. 409 if the subject has changed since.',
  answer: 'The decision is undone.',
  example: { request: { decisionid: '019a3f20-0b1c-7d41-9d0f-5b1f5c1e8a77' } },
  statuses: [404, 409],
  codes: [failCodes.usernameTaken],
  input: z.object({ decisionid: z.uuid().toLowerCase().meta({ description: 'The decision.' }) }),
  output: z.object({ id: z.int().meta({ examples: [1002] }) }).meta({ id: 'UndoneDecision' }),
  handler: async ({ input: { decisionid }, caller }, context: ModerationContext) => {
    const { undoable, member } = await undoableOf(context, decisionid);
    const isOwn = undoable.staff === caller.memberId;
    if (!isOwn && !coversSite(sitesWith(caller.roles, []), member.siteid)) throw forbidden();
    const authority = { staff: caller, kind: undoable.kind };
    const { member: after } = await withNames(context, member, undoable, () =>
      decide(context, member._id, authority, (current) => ruleOnUndo(current, undoable)),
    );
    await context.moderation.undoable.end(decisionid);
    const entry = { ...memberEntryName(undoable.kind, after), staff: caller.memberId };
    const { now, until } = claimTimes(context);
    if (after.waiting?.[undoable.kind]) await context.moderation.claims.take({ ...entry, until }, now);
    return { id: member._id };
  },
});
