import { always, eachPart, type MayGoOn } from '@covalence/events/periodic';
import type { Decision } from '../../members/document/member.ts';
import type { Appeal } from '../store/appeal-store.ts';
import type { ModerationContext } from '../moderation.ts';
import { reverseDecision, type Granting } from './reverse-decision.ts';

/** Takes back the decision of a granted appeal. Safe to repeat. */
export async function carryOut(
  context: ModerationContext,
  appeal: string,
  decision: Decision,
  authority: Granting,
): Promise<void> {
  const { appeals, decisions } = context.moderation;
  await reverseDecision(context, decision, authority);
  // The entry may wait in the document of the member; the member is told what it says.
  if (await decisions.granting(decision)) await appeals.ran(appeal);
}

const batch = 50;

/** Appeals are carried out by their call first; after this time, ms, the call has failed. */
const callMs = 60_000;

/** Job: takes back the decisions of granted appeals whose call did not, as after a crash. Resolves with how many failed. */
export async function runAppeals(context: ModerationContext, mayGoOn: MayGoOn = always): Promise<number> {
  const { moderation, clock, logger } = context;
  const run = async ({ id, decision: against, decided }: Appeal) => {
    const decision = await moderation.decisions.find(against);
    if (!decision || !decided) return moderation.appeals.ran(id);
    const { staff: memberId, as, answer: reason } = decided;
    // Checked before the grant; what began is completed.
    await carryOut(context, id, decision, { as, staff: { memberId }, sites: 'all', reason });
  };
  return eachPart(await moderation.appeals.running(new Date(clock().getTime() - callMs), batch), run, {
    mayGoOn,
    logger,
    left: 'granted appeal not carried out; the next round retries',
    about: ({ member }) => ({ member }),
  });
}
