import { strikeProposals } from '@covalence/contract/sites';
import { dayMs } from '@covalence/contract/time';
import { z } from 'zod';
import type { Decision, Member } from '../members/document/member.ts';
import { siteOf } from '../members/members.ts';
import type { ModerationContext } from './moderation.ts';

/** The points of a member as staff see them. */
export const strikesSchema = z
  .strictObject({
    points: z.int().meta({ examples: [3] }),
    proposal: z
      .enum(strikeProposals)
      .nullable()
      .meta({ description: 'What the points propose; a person decides.' }),
  })
  .optional()
  .meta({ id: 'StaffStrikes', description: 'Absent on sites without strikes.' });

/** The points that a decision counts for. A ban counts with the suspension or deletion that it comes with. */
export function pointsOf(
  { moderation }: Pick<ModerationContext, 'moderation'>,
  { action, statement }: Decision,
): number {
  if (action === 'ban') return 0;
  return moderation.savedReasons.find(({ id }) => id === statement?.ground)?.points ?? 0;
}

/** Since when decisions count on the site of a member; undefined on sites without strikes. */
export function strikesSince(
  context: Pick<ModerationContext, 'sites' | 'clock'>,
  member: Member,
): Date | undefined {
  const { strikes } = siteOf(context, member.siteid);
  return strikes && new Date(context.clock().getTime() - strikes.days * dayMs);
}

/** The points of a member: of restrictions that were not taken back, for as many days as the site says. Undefined on sites without strikes. */
export async function strikesOf(
  context: ModerationContext,
  member: Member,
): Promise<z.output<typeof strikesSchema>> {
  const since = strikesSince(context, member);
  const { strikes } = siteOf(context, member.siteid);
  if (!since || !strikes) return undefined;
  const counted = await context.moderation.decisions.standingSince(member._id, since);
  const points = counted.reduce((sum, decision) => sum + pointsOf(context, decision), 0);
  const reached = strikes.thresholds.filter((each) => each.points <= points);
  const { proposal = null } = reached.toSorted((one, other) => other.points - one.points)[0] ?? {};
  return { points, proposal };
}

/** The proposals that a person has to look at. */
const measures: readonly unknown[] = ['suspension', 'ban'];

/** Lets a member wait in the queue whose points propose a measure, or no longer, as after a decision or its undoing. */
export async function settleProposal(context: ModerationContext, member: Member): Promise<void> {
  const strikes = await strikesOf(context, member);
  if (!strikes) return;
  const isDue = measures.includes(strikes.proposal);
  const now = context.clock();
  await context.members.store.change(member._id, ({ strikes_at, suspended, deleted }) => {
    const waits = strikes_at !== undefined;
    if (waits === isDue || (isDue && (suspended || deleted))) return undefined;
    return { strikes_at: isDue ? now : undefined };
  });
}

/** Decisions after which there is nothing left to warn of. */
const exclusions: readonly Decision['action'][] = ['suspend', 'delete', 'ban'];

/** Whether a decision brought or kept a member at a threshold, so that its statement of reasons warns of what may follow. */
export async function isWarned(
  context: ModerationContext,
  member: Member,
  decision: Decision,
): Promise<boolean> {
  const isOut = member.suspended || member.deleted || exclusions.includes(decision.action);
  if (isOut || pointsOf(context, decision) === 0) return false;
  const strikes = await strikesOf(context, member);
  return strikes !== undefined && strikes.proposal !== null;
}
