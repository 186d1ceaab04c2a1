import mongoose, { type Connection } from 'mongoose';
import type { Experiment, ExperimentStore } from './experiment-store.ts';

/** The running experiment, which this process follows. */
export type RunningExperiment = ReturnType<typeof followExperiment>;

/** Follows the store. While MongoDB is down the experiment stays, and its searches are not recorded. */
export function followExperiment(store: ExperimentStore, connection: Connection) {
  let running: Experiment | undefined;
  return {
    current: (): Experiment | undefined => running,
    refresh: async (): Promise<void> => {
      if (connection.readyState !== mongoose.ConnectionStates.connected) return;
      const found = await store.running();
      // The same object, for which the settings of each site are made once.
      if (found?.name !== running?.name) running = found;
    },
  };
}
