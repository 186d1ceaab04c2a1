import { always, eachPart, type MayGoOn } from '@covalence/events/periodic';
import type { Context } from '../context.ts';
import { settleMessage } from './settle-message.ts';

const graceMs = 5_000;
const batch = 200;

/**
 * Settles messages whose sending ended between storing them and telling pair and threads. One that fails keeps none of the
 * others back; the next round tries it again. Resolves with how many failed.
 */
export async function settleMessages(context: Context, mayGoOn: MayGoOn = always): Promise<number> {
  const { messages, clock, logger } = context;
  const unsettled = await messages.unsettled(new Date(clock().getTime() - graceMs), batch);
  return eachPart(unsettled, (message) => settleMessage(context, message), {
    mayGoOn,
    logger,
    left: 'a message is left to the next round',
  });
}
