import { isBlank } from '@covalence/contract/blank';
import { invalidArgument } from '@covalence/contract/failure';
import { failCodes } from '@covalence/contract/failure-codes';
import { isPresent, optional, profileid } from '@covalence/contract/parameters';
import { newEvent } from '@covalence/events/new-event';
import { endpoint } from '@covalence/http/endpoint';
import { v7 } from 'uuid';
import { z } from 'zod';
import { refusalCodes, checkEncounter } from '../pairs/eligibility.ts';
import { withinDailyLimit } from '../pairs/daily-limit.ts';
import { type MessagesContext, messageView, viewOf } from './messages.ts';
import { siteOf, findTwo } from '../members/members.ts';
import { checkConfirmed, checkActive, isCaller } from '../members/member-endpoint.ts';
import type { Member } from '../members/document/member.ts';
import type { ReadPair } from '../pairs/pair-store.ts';
import { relationOf } from '../pairs/pair.ts';
import type { Message } from './message-store.ts';
import { always, eachPart, type MayGoOn } from '@covalence/events/periodic';

/** Records a stored message in the pair, which may have been read before, and in both threads. Safe to repeat. */
async function record(context: MessagesContext, message: Message, known?: ReadPair): Promise<void> {
  const { from, to, id, held } = message;
  const own = [from, to] as const;
  await Promise.all([
    context.pairs.store.act(from, to, 'message', { known }),
    context.messages.threads.touch(held ? [own] : [own, [to, from]], id),
  ]);
}

/** The same, and notes it in the message. */
export async function settleMessage(context: MessagesContext, message: Message): Promise<void> {
  await record(context, message);
  await context.messages.store.settled(message);
}

/** Milliseconds after which a message that is not settled counts as left by a crash. */
const graceMs = 5_000;
const batch = 200;

/** Job: settles messages whose process ended before it updated the pair and threads. Resolves with how many failed. */
export async function settleMessages(context: MessagesContext, mayGoOn: MayGoOn = always): Promise<number> {
  const { messages, clock, logger } = context;
  const unsettled = await messages.store.unsettled(new Date(clock().getTime() - graceMs), batch);
  return eachPart(unsettled, (message) => settleMessage(context, message), {
    mayGoOn,
    logger,
    left: 'message not settled: will retry',
  });
}

const textLimit = 4_000;

/** 1–4,000 characters, not only blanks. Lone surrogates become the replacement character, as they are stored. */
const text = z
  .string()
  .transform((value) => value.toWellFormed())
  .refine((value) => !isBlank(value) && Array.from(value).length <= textLimit);

/** The client id of a message, unique for each sender. */
const clientMessageId = z.string().regex(/^[\w.:-]{1,100}$/);

const isStaff = (profileid: unknown) => profileid === 0 || profileid === '0';

/** The receiver. Throws the 80xxx code that refuses the sender. */
const eligibleReceiver = async (
  context: MessagesContext,
  sender: Member | undefined,
  other: Member | 'staff' | undefined,
) => {
  const known = sender && other && other !== 'staff';
  const pair = known ? await context.pairs.store.read(sender._id, other._id) : undefined;
  const relation = relationOf(pair?.sides);
  const met = checkEncounter(context, { viewer: sender, other, relation, purpose: 'message' });
  // A conversation is new where neither has written before.
  const isFirst = !relation.messagedByMe && !relation.messagedByThem;
  return { sender: met.viewer, receiver: met.other, pair, isFirst, opening: !relation.messagedByThem };
};

/** Logs that a message is not settled. The job messages-settled retries, so that the client need not send it again. */
const goOn =
  ({ logger }: MessagesContext) =>
  (error: unknown) => {
    logger.warn({ err: error }, 'message not settled; the job messages-settled retries');
    return false;
  };

const store = async (context: MessagesContext, message: Message, known?: ReadPair): Promise<Message> => {
  const { id, from, to, at } = message;
  const data = { other: to, message: id };
  const event = newEvent({ type: 'message.sent', member: from, version: at.getTime(), at, data });
  const stored = await context.messages.store.insert(message, event).catch((error: unknown) => {
    context.logger.warn({ err: error }, 'message not stored; answered 80016');
    throw invalidArgument(failCodes.messageNotStored);
  });
  if (stored.id !== id || stored.held) {
    if (stored.unsettled_at) await settleMessage(context, stored).catch(goOn(context));
    return stored;
  }
  const isRecorded = await record(context, stored, known).then(() => true, goOn(context));
  context.messages.store.publishSoon(stored, event, isRecorded);
  return stored;
};

/** Stores a message. The first one of a conversation counts toward the site's daily limit of new conversations. */
const storeWithinLimit = async (
  context: MessagesContext,
  { sender, pair, isFirst }: Awaited<ReturnType<typeof eligibleReceiver>>,
  message: Message,
) => {
  const limit = isFirst ? siteOf(context, sender.siteid).conversations_per_day : undefined;
  let stored = message;
  const quota = context.pairs.quotas.conversations;
  await withinDailyLimit({ quota, member: sender, now: message.at, limit }, async () => {
    stored = await store(context, message, pair);
    // Otherwise a parallel call with the same client id stored it.
    return stored.id === message.id;
  });
  return stored;
};

/** The earlier message with the same client id. Throws 403 without code where its receiver or text differs. */
const repeated = async (
  context: MessagesContext,
  earlier: Message,
  other: Member | undefined,
  said: string,
) => {
  if (earlier.to !== other?._id || earlier.text !== said) throw invalidArgument();
  if (earlier.unsettled_at) await settleMessage(context, earlier).catch(goOn(context));
  return earlier;
};

/** POST /messages */
export const sendMessage = endpoint({
  access: 'member',
  tag: 'Messages',
  operationId: 'sendMessage',
  summary: 'Send a message',
  description:
    'The message is stored before the call is answered. Repeat the call with the same `client_message_id` and text until it is answered: the message is stored once. 80016 means: repeat. Sending needs platinum, an existing thread, or a connection. A site may limit new conversations by day (429), and likes and messages to members with a confirmed email address (403 without code).',
  answer: 'The message.',
  example: {
    request: { profileid: 1002, text: 'Shall we walk on Sunday?', client_message_id: 'm-1' },
  },
  input: z.object({
    profileid,
    text: text.meta({
      type: 'string',
      minLength: 1,
      maxLength: textLimit,
      description: '1 to 4,000 characters, not only blanks.',
    }),
    client_message_id: optional(clientMessageId).meta({
      description: 'A name that you give the message, unique among the member’s.',
    }),
  }),
  output: messageView,
  codes: refusalCodes(
    'message',
    failCodes.senderNotFound,
    failCodes.receiverIsAdmin,
    failCodes.messageNotStored,
  ),
  handler: async ({ input, caller }, context: MessagesContext) => {
    const { profileid, client_message_id } = input;
    const [found, other] = await findTwo(context, caller.id, profileid);
    const viewer = isCaller(found, caller) ? found : undefined;
    if (viewer) checkActive(viewer, caller);
    if (!isPresent(profileid)) throw invalidArgument();
    const earlier =
      viewer && client_message_id && (await context.messages.store.find(viewer._id, client_message_id));
    if (earlier) return viewOf(await repeated(context, earlier, other, input.text), caller.id);
    const met = await eligibleReceiver(context, viewer, isStaff(profileid) ? 'staff' : other);
    const { sender, receiver, opening } = met;
    await checkConfirmed(context, sender);
    const at = context.clock();
    const stored = await storeWithinLimit(context, met, {
      id: v7(),
      from: sender._id,
      to: receiver._id,
      text: input.text,
      at,
      unsettled_at: at,
      ...(sender.suspected && { held: true as const }),
      ...(siteOf(context, sender.siteid).scam_signals && { examine: { since: at, opening } }),
      ...(client_message_id && { client_message_id }),
    });
    if (stored.to !== receiver._id || stored.text !== input.text) throw invalidArgument();
    return viewOf(stored, sender._id);
  },
});
