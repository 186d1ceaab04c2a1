import { failCodes } from '@covalence/contract/failure-codes';
import { documented, pagesize, profileidInPath } from '@covalence/contract/parameters';
import { z } from 'zod';
import type { MessagesContext } from './messages.ts';
import { pageOf } from '../members/page.ts';
import { otherMember } from '../pairs/other-member.ts';
import { memberEndpoint } from '../members/member-endpoint.ts';
import { messageView, viewOf } from './message-view.ts';

const unread = z.int().nonnegative();
const messageId = z.uuid().toLowerCase();

/** GET /messages/{profileid} */
export const readThread = memberEndpoint({
  tag: 'Messages',
  operationId: 'listMessages',
  summary: 'List the messages with a member',
  description: 'Newest first. Reading messages does not mark them as read.',
  answer: 'A page of messages.',
  example: { request: { profileid: '1002' } },
  input: z.object({
    profileid: profileidInPath,
    pagesize,
    cursor: messageId.optional().meta(documented.cursor),
  }),
  output: z
    .object({
      profileid: z.int().meta({ examples: [1002] }),
      messages: z.array(messageView),
      unread,
      next: z.uuid().nullable(),
    })
    .meta({ id: 'MessageList' }),
  codes: [failCodes.receiverIsSender, failCodes.receiverNotFound],
  handler: async ({ input, member: viewer }, context: MessagesContext) => {
    const other = await otherMember(context, viewer, input.profileid);
    const { store } = context.messages;
    const [read, waiting] = await Promise.all([
      store.list(viewer._id, other._id, input.pagesize + 1, input.cursor),
      store.unread(viewer._id, other._id),
    ]);
    const { entries, next } = pageOf(read, input.pagesize, ({ id }) => id);
    return {
      profileid: other._id,
      messages: entries.map((message) => viewOf(message, viewer._id)),
      unread: waiting,
      next,
    };
  },
});

/** POST /messages/{profileid}/read */
export const markRead = memberEndpoint({
  tag: 'Messages',
  operationId: 'markThreadRead',
  summary: 'Mark messages as read',
  description: 'Marks what that member sent as read, up to `messageid` where it is sent.',
  answer: 'How many messages are unread in all threads.',
  example: { request: { profileid: '1002', messageid: '019a3f20-0b1c-7d41-9d0f-5b1f5c1e8a77' } },
  input: z.object({
    profileid: profileidInPath,
    messageid: messageId.optional().meta({ description: 'The last message that was read.' }),
  }),
  output: z.object({ unread }).meta({ id: 'UnreadCount' }),
  codes: [failCodes.receiverIsSender, failCodes.receiverNotFound],
  handler: async ({ input, member: viewer }, context: MessagesContext) => {
    const other = await otherMember(context, viewer, input.profileid);
    await context.messages.store.markRead(viewer._id, other._id, context.clock(), input.messageid);
    return { unread: await context.messages.store.unread(viewer._id, other._id) };
  },
});
