import { pagesize } from '@covalence/contract/parameters';
import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { pageOf } from '../members/page.ts';
import { otherMember } from '../pairs/other-member.ts';
import { activeCaller } from '../members/active-caller.ts';
import { messageView, viewOf } from './message-view.ts';

const unread = z.int().nonnegative();
const profileid = z.string();
const messageId = z.uuid().toLowerCase();

/** GET /messages/{profileid}: the messages with one member, newest first; reading them marks nothing. */
export const readThread = endpoint({
  access: 'member',
  summary: 'Messages with a member',
  input: z.object({ profileid, pagesize, cursor: messageId.optional() }),
  output: z.object({
    profileid: z.int(),
    messages: z.array(messageView),
    unread,
    next: z.uuid().nullable(),
  }),
  codes: [80001, 80013],
  handler: async ({ input, caller }, context: Context) => {
    const viewer = await activeCaller(context, caller);
    const other = await otherMember(context, viewer, input.profileid);
    const { messages } = context;
    const [read, waiting] = await Promise.all([
      messages.list(viewer._id, other._id, input.pagesize + 1, input.cursor),
      messages.unread(viewer._id, other._id),
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
export const markRead = endpoint({
  access: 'member',
  summary: 'Mark messages as read',
  input: z.object({ profileid, messageid: messageId.optional() }),
  output: z.object({ unread }),
  codes: [80001, 80013],
  handler: async ({ input, caller }, context: Context) => {
    const viewer = await activeCaller(context, caller);
    const other = await otherMember(context, viewer, input.profileid);
    await context.messages.markRead(viewer._id, other._id, context.clock(), input.messageid);
    return { unread: await context.messages.unread(viewer._id, other._id) };
  },
});
