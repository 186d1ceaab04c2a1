import type { Connection } from 'mongoose';
import { createLease, underLease, type LeaseOptions } from '../lease.ts';

/**
 * Runs work on the dead letters of a service while no other process reads them: a reader holds them, and another one would miss
 * them. All processes that use the database of profile take turns.
 */
export const inTurn = <T>(
  connection: Connection,
  service: string,
  limit: Pick<LeaseOptions, 'waitMs' | 'late'>,
  work: () => Promise<T>,
): Promise<T> => underLease({ lease: createLease(connection, `dead-letters:${service}`), ...limit }, work);
