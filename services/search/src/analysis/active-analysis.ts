import { startPeriodic, type Periodic } from '@covalence/events/periodic';
import type { Logger } from '@covalence/runtime/logger';
import type { Metrics } from '@covalence/runtime/metrics';
import mongoose, { type Connection } from 'mongoose';
import { compileAnalysis, noAnalysis, type Analysis } from './analysis.ts';
import type { AnalysisStore } from './analysis-store.ts';

/** The version in force, which this process follows. */
export type ActiveAnalysis = ReturnType<typeof createActiveAnalysis>;

/** Interval in which each process looks for a newer version. */
const checkMs = 2_000;

/** Every process follows, so nobody waits for the lease. */
const noLease = { hold: () => Promise.resolve(true), release: () => Promise.resolve() };

/** Creates what follows the store. */
export function createActiveAnalysis(
  store: AnalysisStore,
  { connection, logger, metrics }: { connection: Connection; logger: Logger; metrics: Metrics },
) {
  let active: Analysis | undefined;
  let periodic: Periodic | undefined;

  /** Reads a newer version if there is one. Rejects while MongoDB is down. */
  const refresh = async (): Promise<Analysis> => {
    const newer = await store.newest(active?.version);
    // Another call may have been faster.
    if (newer && newer.version > (active?.version ?? 0)) {
      active = compileAnalysis(newer.version, newer.content);
      logger.info({ version: active.version }, 'version of the analysis');
    }
    return (active ??= noAnalysis);
  };

  const work = async () => {
    // While MongoDB is down the version stays, and the health check tells.
    if (connection.readyState === mongoose.ConnectionStates.connected) await refresh();
  };

  return {
    /** The version that a search uses from its beginning to its end. Rejects only before the first answer of MongoDB. */
    current: async (): Promise<Analysis> => active ?? refresh(),
    refresh,
    start() {
      periodic = startPeriodic({ name: 'analysis', everyMs: checkMs, lease: noLease, work, logger, metrics });
    },
    async close(): Promise<void> {
      await periodic?.close();
    },
  };
}
