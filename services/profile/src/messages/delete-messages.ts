import { notFound } from '@covalence/contract/failure';
import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { otherMember } from '../pairs/other-member.ts';
import { activeCaller } from '../members/active-caller.ts';

/**
 * Places a thread anew after messages were deleted for its owner, in one write: it is never missing while it has messages. A
 * message that is stored meanwhile either is found here or places the thread itself.
 */
const placeAnew = async ({ messages, threads }: Context, owner: number, other: number) => {
  const was = await threads.placeOf(owner, other);
  const [newest] = await messages.list(owner, other, 1);
  if (was !== undefined && was !== newest?.id) await threads.move(owner, other, was, newest?.id);
};

/** DELETE /messages/{profileid}: the thread, for the caller alone; the other keeps it. A later message begins it anew. */
export const deleteThread = endpoint({
  access: 'member',
  summary: 'Delete the messages with a member for oneself',
  input: z.object({ profileid: z.string() }),
  output: z.object({}),
  codes: [80001, 80013],
  handler: async ({ input, caller }, context: Context) => {
    const viewer = await activeCaller(context, caller);
    const other = await otherMember(context, viewer, input.profileid);
    await context.messages.hide(viewer._id, other._id);
    await placeAnew(context, viewer._id, other._id);
    return {};
  },
});

/** DELETE /messages/{profileid}/{messageid}: one message, for the caller alone; 404 where there is none. */
export const deleteMessage = endpoint({
  access: 'member',
  summary: 'Delete a message for oneself',
  input: z.object({ profileid: z.string(), messageid: z.string().toLowerCase() }),
  output: z.object({}),
  codes: [80001, 80013],
  handler: async ({ input, caller }, context: Context) => {
    const viewer = await activeCaller(context, caller);
    const other = await otherMember(context, viewer, input.profileid);
    if (!(await context.messages.hide(viewer._id, other._id, input.messageid))) throw notFound();
    await placeAnew(context, viewer._id, other._id);
    return {};
  },
});
