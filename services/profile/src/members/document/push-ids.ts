import type { Member } from './member.ts';

/** push_ids of the record: the member's UUID while any device takes push messages. */
export function pushIdsOf({ member_id, push_subscriptions: devices }: Member): string[] {
  return devices?.length ? [member_id] : [];
}
