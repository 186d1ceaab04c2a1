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
