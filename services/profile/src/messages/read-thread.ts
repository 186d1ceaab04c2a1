import { pagesize } from '@covalence/contract/parameters';
import { z } from 'zod';
import type { MessagesContext } from './messages.ts';
import { pageOf } from '../members/page.ts';
import { otherMember } from '../pairs/other-member.ts';
import { memberEndpoint } from '../members/member-endpoint.ts';
import { messageView, viewOf } from './message-view.ts';

const unread = z.int().nonnegative();
const profileid = z.string();
const messageId = z.uuid().toLowerCase();

/** GET /messages/{profileid}: the messages with one member, newest first; reading them marks nothing. */
export const readThread = memberEndpoint({
  summary: 'Messages with a member',
  input: z.object({ profileid, pagesize, cursor: messageId.optional() }),
  output: z.object({
    profileid: z.int(),
    messages: z.array(messageView),
    unread,
    next: z.uuid().nullable(),
  }),
  codes: [80001, 80013],
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

/** POST /messages/{profileid}/read: marks what that member sent as read, up to a message where one is named. */
export const markRead = memberEndpoint({
  summary: 'Mark messages as read',
  input: z.object({ profileid, messageid: messageId.optional() }),
  output: z.object({ unread }),
  codes: [80001, 80013],
  handler: async ({ input, member: viewer }, context: MessagesContext) => {
    const other = await otherMember(context, viewer, input.profileid);
    await context.messages.store.markRead(viewer._id, other._id, context.clock(), input.messageid);
    return { unread: await context.messages.store.unread(viewer._id, other._id) };
  },
});
