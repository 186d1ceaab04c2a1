import { documented, pagesize, profileidInPath } from '@covalence/contract/parameters';
import { z } from 'zod';
import { notFound } from '@covalence/contract/failure';
import { endpoint, type Caller } from '@covalence/http/endpoint';
import { type MessagesContext, messageView, viewOf } from './messages.ts';
import { pageOf } from '../members/page.ts';
import { otherMemberEndpoint } from '../pairs/other-member.ts';
import { listedRecordOutput } from '../record/render-record.ts';
import { recordsForCaller } from '../pairs/views/records-of-others.ts';
import type { Thread } from './thread-store.ts';

const unread = z.int().nonnegative();

const recordsOf = async (context: MessagesContext, caller: Caller, ids: readonly number[]) => {
  const records = await recordsForCaller(context, caller, ids, 'thread');
  return new Map(records.map((record) => [record.id, record]));
};

/** The last message and unread count of threads, without those of which the member deleted all messages. */
const contentsOf = async (
  { messages: { store } }: MessagesContext,
  member: number,
  threads: readonly Thread[],
) => {
  const others = threads.map(({ other }) => other);
  const [lasts, unread] = await Promise.all([
    store.lastOf(member, threads),
    store.unreadFrom(member, others),
  ]);
  const contents = others.map(async (other) => {
    // A message that was just deleted is the last of its thread for another moment.
    const last = lasts.get(other) ?? (await store.list(member, other, 1))[0];
    return last ? [{ other, last, unread: unread.get(other) ?? 0 }] : [];
  });
  return (await Promise.all(contents)).flat();
};

/** GET /messages */
export const listThreads = endpoint({
  access: 'member',
  tag: 'Messages',
  operationId: 'listThreads',
  summary: 'List the message threads',
  description:
    'Newest first, each with its newest message. `user` is null where the member may no longer be seen; `unread` counts all threads.',
  answer: 'A page of threads.',
  input: z.object({ pagesize, cursor: z.uuid().toLowerCase().optional().meta(documented.cursor) }),
  output: z
    .object({
      threads: z.array(
        z
          .object({
            profileid: z.int().meta({ examples: [1002] }),
            user: listedRecordOutput.nullable(),
            unread,
            last: messageView,
          })
          .meta({ id: 'MessageThread' }),
      ),
      unread,
      next: z.uuid().nullable(),
    })
    .meta({ id: 'ThreadList' }),
  handler: async ({ input, caller }, context: MessagesContext) => {
    const [read, allUnread] = await Promise.all([
      context.messages.threads.list(caller.id, input.pagesize + 1, input.cursor),
      context.messages.store.unread(caller.id),
    ]);
    const { entries, next } = pageOf(read, input.pagesize, ({ last }) => last);
    const ids = entries.map(({ other }) => other);
    const [contents, users] = await Promise.all([
      contentsOf(context, caller.id, entries),
      recordsOf(context, caller, ids),
    ]);
    const threads = contents.map(({ other, last, unread: count }) => ({
      profileid: other,
      user: users.get(other) ?? null,
      unread: count,
      last: viewOf(last, caller.id),
    }));
    return { threads, unread: allUnread, next };
  },
});

const messageId = z.uuid().toLowerCase();

/** GET /messages/{profileid} */
export const readThread = otherMemberEndpoint({
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
  handler: async ({ input, member: viewer, other }, context: MessagesContext) => {
    const { store } = context.messages;
    const read = await store.list(viewer._id, other._id, input.pagesize + 1, input.cursor);
    const { entries, next } = pageOf(read, input.pagesize, ({ id }) => id);
    const isWhole = next === null && input.cursor === undefined;
    const waiting = isWhole
      ? entries.filter(({ from, read_at }) => from === other._id && !read_at).length
      : await store.unread(viewer._id, other._id);
    return {
      profileid: other._id,
      messages: entries.map((message) => viewOf(message, viewer._id)),
      unread: waiting,
      next,
    };
  },
});

/** POST /messages/{profileid}/read */
export const markRead = otherMemberEndpoint({
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
  handler: async ({ input, member: viewer, other }, context: MessagesContext) => {
    await context.messages.store.markRead(viewer._id, other._id, context.clock(), input.messageid);
    return { unread: await context.messages.store.unread(viewer._id, other._id) };
  },
});

/** Updates a thread's last message after its owner deleted messages, in one write that a message sent meanwhile overrides. */
const updateThread = async ({ messages }: MessagesContext, owner: number, other: number) => {
  const { store, threads } = messages;
  const was = await threads.lastMessageOf(owner, other);
  const [newest] = await store.list(owner, other, 1);
  if (was !== undefined && was !== newest?.id) await threads.replaceLast(owner, other, was, newest?.id);
};

/** DELETE /messages/{profileid} */
export const deleteThread = otherMemberEndpoint({
  tag: 'Messages',
  operationId: 'deleteThread',
  summary: 'Delete a thread',
  description: 'Deletes the messages with that member for the caller alone; the other keeps them.',
  answer: 'The thread is deleted.',
  example: { request: { profileid: '1002' } },
  input: z.object({ profileid: profileidInPath }),
  output: z.object({}),
  handler: async ({ member: viewer, other }, context: MessagesContext) => {
    await context.messages.store.hide(viewer._id, other._id);
    await updateThread(context, viewer._id, other._id);
    return {};
  },
});

/** DELETE /messages/{profileid}/{messageid} */
export const deleteMessage = otherMemberEndpoint({
  tag: 'Messages',
  operationId: 'deleteMessage',
  summary: 'Delete a message',
  description: 'Deletes the message for the caller alone; the other keeps it.',
  answer: 'The message is deleted.',
  example: { request: { profileid: '1002', messageid: '019a3f20-0b1c-7d41-9d0f-5b1f5c1e8a77' } },
  input: z.object({
    profileid: profileidInPath,
    messageid: z.string().toLowerCase().meta({ format: 'uuid', description: 'The message.' }),
  }),
  output: z.object({}),
  handler: async ({ input, member: viewer, other }, context: MessagesContext) => {
    if (!(await context.messages.store.hide(viewer._id, other._id, input.messageid))) throw notFound();
    await updateThread(context, viewer._id, other._id);
    return {};
  },
});
