import { redisKeys } from '@covalence/contract/redis-keys';

/** One member's keys and channel in Redis; the braces keep them in one slot of a cluster. */
export function memberKeys(namespace: string, member: number) {
  const stem = redisKeys.live(namespace, member);
  return {
    /** Hash: the epoch of the history and the number of its last message. */
    head: `${stem}:head`,
    /** Stream of the last messages. */
    stream: `${stem}:stream`,
    /** Exists once an event has been delivered. */
    delivered: (eventId: string): string => `${stem}:delivered:${eventId}`,
    /** The channel on which new messages and commands are published. */
    channel: stem,
  };
}
