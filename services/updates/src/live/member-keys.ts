import { redisKeys } from '@covalence/contract/redis-keys';

/** The names of one member's keys and channel in Redis; the braces keep a member's keys on one slot of a cluster. */
export function memberKeys(namespace: string, member: number) {
  const stem = redisKeys.live(namespace, member);
  return {
    /** Hash: the epoch of the history and the number of its last message. */
    head: `${stem}:head`,
    /** Stream of the last messages. */
    stream: `${stem}:stream`,
    /** Present once an event has been told. */
    told: (eventId: string): string => `${stem}:told:${eventId}`,
    /** Where new messages and commands are published. */
    channel: stem,
  };
}
