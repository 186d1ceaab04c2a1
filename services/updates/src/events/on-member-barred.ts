import type { Event } from '@covalence/contract/events';
import type { Context } from '../context.ts';

/** Closes the member's sockets on every process: 4403 when deactivated, 4401 when suspended or deleted (D29, D41). */
export async function onMemberBarred(event: Event, { channels }: Pick<Context, 'channels'>): Promise<void> {
  await channels.publishBarred(event.member, event.type === 'member.deactivated' ? 'deactivated' : 'ended');
}
