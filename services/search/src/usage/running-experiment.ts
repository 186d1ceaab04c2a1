import { noLease, startPeriodic, type Periodic } from '@covalence/events/periodic';
import type { Logger } from '@covalence/runtime/logger';
import type { Metrics } from '@covalence/runtime/metrics';
import mongoose, { type Connection } from 'mongoose';
import type { Experiment, ExperimentStore } from './experiment-store.ts';

/** The running experiment, which this process follows. */
export type RunningExperiment = ReturnType<typeof followExperiment>;

/** Interval in which each process looks whether one was started or stopped. */
const checkMs = 5_000;

/** Follows the store. While MongoDB is down the experiment stays, and its searches are not recorded. */
export function followExperiment(
  store: ExperimentStore,
  { connection, logger, metrics }: { connection: Connection; logger: Logger; metrics: Metrics },
) {
  let running: Experiment | undefined;
  let periodic: Periodic | undefined;
  const refresh = async (): Promise<void> => {
    if (connection.readyState !== mongoose.ConnectionStates.connected) return;
    const found = await store.running();
    // The same object, for which the settings of each site are made once.
    if (found?.name !== running?.name) running = found;
  };
  return {
    current: (): Experiment | undefined => running,
    refresh,
    start() {
      periodic = startPeriodic({
        name: 'experiment',
        everyMs: checkMs,
        lease: noLease,
        work: refresh,
        logger,
        metrics,
      });
    },
    async close(): Promise<void> {
      await periodic?.close();
    },
  };
}
