import { hourMs, dayMs } from '@covalence/contract/time';

/** The pause after the first failed attempt; each further pause is four times as long. */
const firstPauseMs = 10_000;
const factor = 4;
const maxPauseMs = hourMs;
/** A push service cannot ask for more: the message would be a day old. */
const maxRequestedMs = dayMs;

/** A device that fails for this long and this often counts as gone. */
const goneAfterMs = 7 * dayMs;
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
