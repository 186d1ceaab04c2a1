import { documented, pagesize } from '@covalence/contract/parameters';
import { z } from 'zod';
import { listedRecordOutput } from '../record/render-record.ts';
import { type MessagesContext, messageView, viewOf } from './messages.ts';
import type { Member } from '../members/document/member.ts';
import { pageOf } from '../members/page.ts';
import { memberEndpoint } from '../members/member-endpoint.ts';
import { readOthers, recordsOfOthers } from '../pairs/views/records-of-others.ts';
import type { Thread } from './thread-store.ts';

const count = z.int().nonnegative();

const recordsOf = async (context: MessagesContext, viewer: Member, ids: readonly number[]) => {
  const others = await readOthers(context, viewer._id, ids);
  const records = recordsOfOthers(context, viewer, others, 'thread');
  return new Map(records.map((record) => [record.id, record]));
};

/** The last message and unread count of a thread; empty where the member deleted all messages. */
const contentOf = async ({ messages }: MessagesContext, member: number, { other }: Thread) => {
  const [[last], unread] = await Promise.all([
    messages.store.list(member, other, 1),
    messages.store.unread(member, other),
  ]);
  return last ? [{ other, last, unread }] : [];
};

/** GET /messages */
export const listThreads = memberEndpoint({
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
            unread: count,
            last: messageView,
          })
          .meta({ id: 'MessageThread' }),
      ),
      unread: count,
      next: z.uuid().nullable(),
    })
    .meta({ id: 'ThreadList' }),
  handler: async ({ input, member: viewer }, context: MessagesContext) => {
    const [read, unread] = await Promise.all([
      context.messages.threads.list(viewer._id, input.pagesize + 1, input.cursor),
      context.messages.store.unread(viewer._id),
    ]);
    const { entries, next } = pageOf(read, input.pagesize, ({ last }) => last);
    const ids = entries.map(({ other }) => other);
    const [contents, users] = await Promise.all([
      Promise.all(entries.map((thread) => contentOf(context, viewer._id, thread))),
      recordsOf(context, viewer, ids),
    ]);
    const threads = contents.flat().map(({ other, last, unread: count }) => ({
      profileid: other,
      user: users.get(other) ?? null,
      unread: count,
      last: viewOf(last, viewer._id),
    }));
    return { threads, unread, next };
  },
});
