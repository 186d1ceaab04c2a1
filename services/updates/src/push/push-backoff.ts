/** The pause after the first failed attempt; each further pause is four times as long. */
const firstPauseMs = 10_000;
const factor = 4;
const maxPauseMs = 3_600_000;
/** A push service cannot ask for more: the message would be a day old. */
const maxRequestedMs = 86_400_000;

/** A device that fails for this long and this often counts as gone. */
const goneAfterMs = 7 * 86_400_000;
const goneAfterAttempts = 10;

/** The pause after this many failed attempts, ms; at least what the push service asked for. */
export function backoffMs(attempts: number, requestedMs = 0): number {
  const own = Math.min(firstPauseMs * factor ** (attempts - 1), maxPauseMs);
  return Math.max(own, Math.min(requestedMs, maxRequestedMs));
}

/** Whether a device that has been failing since a time (ms) counts as gone. */
export function isGivenUp({ since, attempts }: { since: number; attempts: number }, now: number): boolean {
  return attempts >= goneAfterAttempts && now - since >= goneAfterMs;
}

/** The pause in a Retry-After header, seconds or a date (RFC 9110, section 10.2.3), in ms; 0 if it is invalid. */
export function retryAfterMs(header: string | undefined, now: number): number {
  if (header === undefined) return 0;
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : 0;
}
