/** The pause after a first try in vain; each further one is four times as long. */
const firstPauseMs = 10_000;
const factor = 4;
const longestPauseMs = 3_600_000;
/** A push service that asks for more will find the message a day old. */
const longestAskedMs = 86_400_000;

/** A device that took nothing for so long, and in so many tries, is taken for one that is gone. */
const goneAfterMs = 7 * 86_400_000;
const goneAfterTries = 10;

/** How long to leave a device alone after `tries` tries in vain, ms; at least for what its push service asked for. */
export function backoffMs(tries: number, askedMs = 0): number {
  const own = Math.min(firstPauseMs * factor ** (tries - 1), longestPauseMs);
  return Math.max(own, Math.min(askedMs, longestAskedMs));
}

/** Whether a device that takes nothing since a time, in ms since the epoch, is given up at the last of so many tries. */
export function isGivenUp({ since, tries }: { since: number; tries: number }, now: number): boolean {
  return tries >= goneAfterTries && now - since >= goneAfterMs;
}

/** What a Retry-After header asks for, seconds or a date (RFC 9110, 10.2.3), in ms; 0 without one that makes sense. */
export function retryAfterMs(header: string | undefined, now: number): number {
  if (header === undefined) return 0;
  const asked = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now;
  return Number.isFinite(asked) ? Math.max(0, asked) : 0;
}
