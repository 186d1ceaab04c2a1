import { strikeProposals, type Site } from '@covalence/contract/sites';
import { dayMs } from '@covalence/contract/time';
import { always, eachPart, type MayGoOn } from '@covalence/events/periodic';
import { z } from 'zod';
import type { Decision, Member } from '../members/document/member.ts';
import { siteOf } from '../members/members.ts';
import type { MemberPatch } from '../members/store/member-store.ts';
import type { ModerationContext } from './moderation.ts';
import { groundOf } from './saved-reasons.ts';

type StrikeProposal = (typeof strikeProposals)[number];

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
  return groundOf(statement?.ground, moderation.savedReasons)?.points ?? 0;
}

/** Since when decisions count on the site of a member; undefined on sites without strikes. */
export function strikesSince(
  context: Pick<ModerationContext, 'sites' | 'clock'>,
  member: Member,
): Date | undefined {
  const { strikes } = siteOf(context, member.siteid);
  return strikes && new Date(context.clock().getTime() - strikes.days * dayMs);
}

type StrikeRules = NonNullable<Site['strikes']>;

/** The measure that a number of points proposes. */
function proposalFor(points: number, { thresholds }: StrikeRules): StrikeProposal | null {
  const reached = thresholds.filter((each) => each.points <= points);
  return reached.toSorted((one, other) => other.points - one.points)[0]?.proposal ?? null;
}

const pointsOfAll = (context: ModerationContext, decisions: readonly Decision[]) =>
  decisions.reduce((sum, decision) => sum + pointsOf(context, decision), 0);

/**
 * The rules of a member's site, and the restrictions that count and were not taken back, also those that the history does not have
 * yet. Undefined on sites without strikes.
 */
async function countedOf(context: ModerationContext, member: Member) {
  const since = strikesSince(context, member);
  const { strikes: rules } = siteOf(context, member.siteid);
  if (!since || !rules) return undefined;
  const { unlogged = [] } = member;
  const logged = await context.moderation.decisions.inForceSince(member._id, since);
  const fresh = unlogged.filter(({ id, at }) => at > since && logged.every((each) => each.id !== id));
  const isUndone = ({ id }: Decision) => unlogged.some(({ undoes }) => undoes === id);
  return { rules, counted: [...logged, ...fresh].filter((each) => each.statement && !isUndone(each)) };
}

/** The points of a member, and what they propose. Undefined on sites without strikes. */
export async function strikesOf(
  context: ModerationContext,
  member: Member,
): Promise<z.output<typeof strikesSchema>> {
  const found = await countedOf(context, member);
  if (!found) return undefined;
  const points = pointsOfAll(context, found.counted);
  return { points, proposal: proposalFor(points, found.rules) };
}

/** The proposals that a person has to look at. */
const measures: readonly unknown[] = ['suspension', 'ban'];

/** Whether the points of a member propose a measure that a person has to look at. */
const isMeasureProposed = async (context: ModerationContext, member: Member): Promise<boolean> =>
  measures.includes((await strikesOf(context, member))?.proposal);

/** Lets a member wait in the queue whose points propose a measure after a decision, or no longer. `member` has the decision. */
export async function proposalAfter(
  context: ModerationContext,
  member: Member,
  decision: Decision,
): Promise<Pick<MemberPatch, 'strikes_at'>> {
  if (decision.undoes === undefined && pointsOf(context, decision) === 0) return {};
  const { strikes_at, suspended, deleted } = member;
  const isDue = await isMeasureProposed(context, member);
  if ((strikes_at !== undefined) === isDue || (isDue && (suspended || deleted))) return {};
  return { strikes_at: isDue ? decision.at : undefined };
}

/** Lets a member no longer wait in the queue whose points propose no measure by now. */
const endProposal = (context: ModerationContext, id: number) =>
  context.members.store.change(id, async (member) =>
    member.strikes_at === undefined || (await isMeasureProposed(context, member))
      ? undefined
      : { strikes_at: undefined },
  );

/** Job: takes members out of the queue when the points expire for which they wait. Resolves with how many failed. */
export async function endProposals(context: ModerationContext, mayGoOn: MayGoOn = always): Promise<number> {
  return eachPart(await context.moderation.queue.proposed(), (id) => endProposal(context, id), {
    mayGoOn,
    logger: context.logger,
    left: 'expired proposal not ended: will retry',
    about: (member) => ({ member }),
  });
}

/** Decisions after which there is nothing left to warn of. */
const exclusions: readonly Decision['action'][] = ['suspend', 'delete', 'ban'];

/** Whether a decision brought a member to points that propose a warning, so that its statement of reasons warns. */
export async function isWarned(
  context: ModerationContext,
  member: Member,
  decision: Decision,
): Promise<boolean> {
  const found = await countedOf(context, member);
  const isOut = member.suspended || member.deleted || exclusions.includes(decision.action);
  if (!found || isOut) return false;
  const before = pointsOfAll(
    context,
    found.counted.filter(({ id }) => id < decision.id),
  );
  const after = before + pointsOf(context, decision);
  return proposalFor(before, found.rules) !== 'warning' && proposalFor(after, found.rules) === 'warning';
}
