/**
 * How long a connection to another part is used for further calls. A service's address in a cluster chooses a process as a
 * connection is made, so one that is kept for ever leaves the processes that came later with nothing to do.
 */
export const connectionAgeMs = 30_000;
