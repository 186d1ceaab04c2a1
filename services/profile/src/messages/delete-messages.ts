import { profileidInPath } from '@covalence/contract/parameters';
import { notFound } from '@covalence/contract/failure';
import { failCodes } from '@covalence/contract/failure-codes';
import { z } from 'zod';
import type { MessagesContext } from './messages.ts';
import { otherMember } from '../pairs/other-member.ts';
import { memberEndpoint } from '../members/member-endpoint.ts';

/**
 * Updates the last message of a thread after its owner deleted messages, in one write, so that the thread is never
 * missing. A message that arrives meanwhile is found here or updates the thread itself.
 */
const updateThread = async (
  { messages: { store, threads } }: MessagesContext,
  owner: number,
  other: number,
) => {
  const was = await threads.lastMessageOf(owner, other);
  const [newest] = await store.list(owner, other, 1);
  if (was !== undefined && was !== newest?.id) await threads.replaceLast(owner, other, was, newest?.id);
};

/** DELETE /messages/{profileid} */
export const deleteThread = memberEndpoint({
  tag: 'Messages',
  operationId: 'deleteThread',
  summary: 'Delete a thread',
  description: 'Deletes the messages with that member for the caller alone; the other keeps them.',
  answer: 'The thread is deleted.',
  example: { request: { profileid: '1002' } },
  input: z.object({ profileid: profileidInPath }),
  output: z.object({}),
  codes: [failCodes.receiverIsSender, failCodes.receiverNotFound],
  handler: async ({ input, member: viewer }, context: MessagesContext) => {
    const other = await otherMember(context, viewer, input.profileid);
    await context.messages.store.hide(viewer._id, other._id);
    await updateThread(context, viewer._id, other._id);
    return {};
  },
});

/** DELETE /messages/{profileid}/{messageid} */
export const deleteMessage = memberEndpoint({
  tag: 'Messages',
  operationId: 'deleteMessage',
  summary: 'Delete a message',
  description: 'Deletes the message for the caller alone; the other keeps it.',
  answer: 'The message is deleted.',
  example: { request: { profileid: '1002', messageid: '019a3f20-0b1c-7d41-9d0f-5b1f5c1e8a77' } },
  input: z.object({
    profileid: profileidInPath,
    messageid: z.string().toLowerCase().meta({ description: 'The message.' }),
  }),
  output: z.object({}),
  codes: [failCodes.receiverIsSender, failCodes.receiverNotFound],
  handler: async ({ input, member: viewer }, context: MessagesContext) => {
    const other = await otherMember(context, viewer, input.profileid);
    if (!(await context.messages.store.hide(viewer._id, other._id, input.messageid))) throw notFound();
    await updateThread(context, viewer._id, other._id);
    return {};
  },
});
