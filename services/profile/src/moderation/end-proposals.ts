import { always, eachPart, type MayGoOn } from '@covalence/events/periodic';
import type { ModerationContext } from './moderation.ts';
import { isMeasureProposed } from './strikes.ts';

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
    left: 'expired proposal not ended; the next round retries',
    about: (member) => ({ member }),
  });
}
