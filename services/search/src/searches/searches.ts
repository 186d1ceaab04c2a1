import type { Event } from '@covalence/contract/events';
import type { Clock } from '@covalence/runtime/clock';
import type { SearcherContext } from '../criteria/searcher.ts';
import type { SearchIndex } from '../index/search-index.ts';
import type { Relations } from '../criteria/relations.ts';
import type { ExperimentStore, InForce } from '../usage/experiment-store.ts';
import type { RunningExperiment } from '../usage/running-experiment.ts';
import type { ActiveSettings } from '../settings/active-settings.ts';
import type { SettingsStore } from '../settings/settings-store.ts';
import type { Recorder } from '../usage/recorder.ts';
import type { UsageStore } from '../usage/usage-store.ts';
import type { SearchCenterStore } from './search-center-store.ts';

/** The dependencies of searches. */
export interface SearchesContext extends SearcherContext {
  readonly clock: Clock;
  readonly index: SearchIndex;
  readonly relations: Relations;
  readonly settings: { readonly store: SettingsStore; readonly active: ActiveSettings };
  readonly usage: {
    readonly store: UsageStore;
    readonly recorder: Recorder;
    readonly experiments: ExperimentStore;
    readonly running: RunningExperiment;
    /** The settings that decide the order of results and the recorded searchers. */
    readonly inForce: () => Promise<InForce>;
    /** Attributes what members do to recorded searches. */
    readonly attribute: (events: readonly Event[]) => Promise<void>;
  };
  readonly searches: { readonly centers: SearchCenterStore };
}
