import { always, eachPart, type MayGoOn } from '@covalence/events/periodic';
import type { Decision } from '../../members/document/member.ts';
import type { ModerationContext } from '../moderation.ts';
import { removeBans } from './ban-member.ts';

const batch = 50;

/** Entries are removed by the call that approves; after this time, ms, the call has failed. */
const callMs = 60_000;

/** Removes what an approval has to remove from the ban list, unless it was undone, or the entry was renewed. Safe to repeat. */
async function removeUnbans(context: ModerationContext, decision: Decision): Promise<void> {
  const { members, moderation } = context;
  const { id, member, staff: memberId, reason, unbans = [] } = decision;
  if (!(await moderation.decisions.undoneOf(member, [id])).size) {
    const seen = new Map(unbans.map(({ id: entry, expires_at }) => [entry, expires_at.getTime()]));
    const entries = await members.bans.store.findMany([...seen.keys()]);
    const former = entries.filter(({ id: entry, expires_at }) => seen.get(entry) === expires_at.getTime());
    await removeBans(context, former, { staff: { memberId }, sites: 'all', reason });
  }
  await moderation.decisions.unbanned(id);
}

/** Removes what approvals of a member have to remove from the ban list, also those of an earlier call that failed. */
export async function removeUnbansOf(context: ModerationContext, member: number): Promise<void> {
  for (const decision of await context.moderation.decisions.toUnban({ member }, batch))
    await removeUnbans(context, decision);
}

/** Job: removes entries of the ban list whose approval was made, and whose call did not remove them. Resolves with how many failed. */
export async function runUnbans(context: ModerationContext, mayGoOn: MayGoOn = always): Promise<number> {
  const { moderation, clock, logger } = context;
  const before = new Date(clock().getTime() - callMs);
  const left = await moderation.decisions.toUnban({ before }, batch);
  return eachPart(left, (decision) => removeUnbans(context, decision), {
    mayGoOn,
    logger,
    left: 'entries of the ban list not removed; the next round retries',
    about: ({ member }) => ({ member }),
  });
}
