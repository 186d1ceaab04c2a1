/** Failures in a row after which a lane pauses. */
const failuresToOpen = 5;
/** The first pause; each further one is twice as long. */
const firstPauseMs = 1_000;
const longestPauseMs = 60_000;
/** A push service cannot ask for more. */
const longestRequestedMs = 3_600_000;

/** Whether a push service is working, by what it answered to this process. */
export type Circuit = ReturnType<typeof createCircuit>;

/**
 * Creates the circuit of a lane. After failures of the service in a row it opens: nothing is sent for a pause, then one device is
 * tried at a time until one succeeds.
 */
export function createCircuit() {
  let failures = 0;
  let pauses = 0;
  let until = 0;
  let hasSent = false;
  return {
    /** The number of further devices, of `room`, that may be sent to while `sending` are in flight. */
    admits(room: number, sending: number, now: number): number {
      if (!pauses) return room;
      return now < until ? 0 : Math.max(0, Math.min(room, 1 - sending));
    },
    get isOpen(): boolean {
      return pauses > 0;
    },
    /** Whether a device of the lane has taken a message: the settings of its app are right. */
    get hasSent(): boolean {
      return hasSent;
    },
    /** Notes an answer for a device, `sent` if it took the message: the service works. */
    succeeded(sent: boolean): void {
      [failures, pauses, until] = [0, 0, 0];
      hasSent ||= sent;
    },
    /** Counts a failure of the service, which may ask for a pause. Returns whether the circuit has just opened. */
    failed(afterMs: number, now: number): boolean {
      failures += 1;
      const asked = now + Math.min(afterMs, longestRequestedMs);
      // Requests that were in flight say nothing new.
      if (now < until) {
        until = Math.max(until, asked);
        return false;
      }
      if (failures < failuresToOpen && !afterMs && !pauses) return false;
      until = Math.max(asked, now + Math.min(firstPauseMs * 2 ** pauses, longestPauseMs));
      pauses += 1;
      return pauses === 1;
    },
  };
}
