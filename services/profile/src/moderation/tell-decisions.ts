import { always, eachPart, type MayGoOn } from '@covalence/events/periodic';
import type { Decision } from '../members/document/member.ts';
import { localeOf } from '../members/document/member-values.ts';
import { siteOf } from '../members/members.ts';
import type { ModerationContext } from './moderation.ts';
import { isRestriction } from './statement.ts';

const batch = 100;

async function tell(context: ModerationContext, decision: Decision): Promise<void> {
  const { auth, members, moderation } = context;
  const { id, action, statement } = decision;
  const member = await members.store.byId(decision.member);
  const isUndone = (await moderation.decisions.undoneOf(decision.member, [id])).size > 0;
  if (member && statement && isRestriction(action) && !isUndone) {
    const { text, basis, clause, facts, reported, detected, ban_until } = statement;
    await auth.notifyDecision({
      member_id: member.member_id,
      decision_id: id,
      locale: localeOf(member, siteOf(context, member.siteid)),
      action,
      text,
      basis,
      ...(clause !== undefined && { clause }),
      ...(facts !== undefined && { facts }),
      reported,
      detected,
      ...(ban_until && { ban_until: ban_until.toISOString() }),
    });
  }
  await moderation.decisions.told(id);
}

/** Job: mails members the decisions that restrict them, once these can no longer be undone. Resolves with how many failed. */
export async function tellDecisions(context: ModerationContext, mayGoOn: MayGoOn = always): Promise<number> {
  const { clock, logger, moderation } = context;
  return eachPart(await moderation.decisions.toTell(clock(), batch), (each) => tell(context, each), {
    mayGoOn,
    logger,
    left: 'decision not told; the next round retries',
    about: ({ member }) => ({ member }),
  });
}
