import { newEvent } from '@covalence/events/new-event';
import { always, eachPart, type MayGoOn } from '@covalence/events/periodic';
import { isActive } from '../members/document/member-values.ts';
import type { MessagesContext } from './messages.ts';
import { relationOf } from '../pairs/pair.ts';
import type { Message } from './message-store.ts';
import { settleMessage } from './send-message.ts';

const batch = 200;

async function release(context: MessagesContext, { held: _held, ...message }: Message): Promise<void> {
  const { from, to, id } = message;
  const { sides } = await context.pairs.store.read(from, to);
  const { blocked } = relationOf(sides);
  if (blocked !== 'none') return context.messages.store.keepHidden(message);
  const at = context.clock();
  const data = { other: to, message: id };
  const event = newEvent({ type: 'message.sent', member: from, version: at.getTime(), at, data });
  await context.messages.store.release(message, event);
  await settleMessage(context, message);
  context.messages.store.publishSoon(message, event);
}

/**
 * Job: delivers what members wrote while a match of the ban list waited for staff, once staff approved them; not between members of
 * whom one blocked the other since. Resolves with how many messages failed.
 */
export async function releaseMessages(context: MessagesContext, mayGoOn: MayGoOn = always): Promise<number> {
  const { store } = context.messages;
  const senders = await context.members.store.eligibilityOf(await store.heldSenders());
  const approved = senders.filter(
    (sender) => isActive(sender) && sender.userstatus === 'approved' && !sender.suspected,
  );
  const held = await store.heldOf(
    approved.map(({ _id }) => _id),
    batch,
  );
  return eachPart(held, (message) => release(context, message), {
    mayGoOn,
    logger: context.logger,
    left: 'held message not delivered: will retry',
  });
}
