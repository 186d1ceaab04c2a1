import { onlineSeconds } from '@covalence/contract/redis-keys';
import { isVisible } from './member-values.ts';
import type { Member } from './member.ts';

/** A member's presence in Redis. */
export interface Sighting {
  /** The last authenticated call, in milliseconds since the epoch. */
  readonly seen: number | null;
  readonly present: boolean;
}

/** Presence as the member record shows it. */
export interface Presence {
  readonly online: boolean;
  /** Seconds since the last authenticated call, -1 if unknown. */
  readonly sinceActive: number;
}

/** When the member was last seen, from Redis or, where it knows less, from the document. */
export function lastSeen(member: Member, sighting: Sighting | undefined): Date | null {
  const copied = member.presence.last_seen?.getTime() ?? 0;
  const newest = Math.max(copied, sighting?.seen ?? 0);
  return newest ? new Date(newest) : null;
}

/** Whether others see that a member is online or not: the member is visible and not set offline. */
export function isPresenceShown(member: Member): boolean {
  return !member.presence.offline && isVisible(member);
}

/** Online is seen within five minutes or holding a socket, and not set offline. */
export function presenceOf(member: Member, sighting: Sighting | undefined, now: Date): Presence {
  const seen = lastSeen(member, sighting);
  const sinceActive = seen ? Math.max(0, Math.floor((now.getTime() - seen.getTime()) / 1000)) : -1;
  const isHere = (sighting?.present ?? false) || (sinceActive >= 0 && sinceActive < onlineSeconds);
  return { online: isHere && !member.presence.offline, sinceActive };
}
