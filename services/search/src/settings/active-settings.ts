import type { Logger } from '@covalence/runtime/logger';
import type { Metrics } from '@covalence/runtime/metrics';
import mongoose, { type Connection } from 'mongoose';
import type { RelevanceFile } from '../relevance/relevance-settings.ts';
import { compileSettings, ofFile, type SearchSettings } from './search-settings.ts';
import type { SettingsStore, VersionInForce } from './settings-store.ts';

/** The version in force, which this process follows. */
export type ActiveSettings = ReturnType<typeof createActiveSettings>;

/** Creates what follows the store. `file` has the relevance settings of versions without any of their own. */
export function createActiveSettings(
  store: SettingsStore,
  file: RelevanceFile,
  { connection, logger, metrics }: { connection: Connection; logger: Logger; metrics: Metrics },
) {
  const relevanceOfFile = ofFile(file);
  let active: SearchSettings | undefined;
  let newest: number | undefined;
  /** Numbers of the calls that began to read, and of the last one whose answer is in force. */
  const reads = { begun: 0, used: 0 };

  const use = (found: VersionInForce): SearchSettings => {
    const { version, content } = found;
    const facts = {
      version,
      relevance: content.relevance ? 'published' : `version ${file.version} of RELEVANCE_FILE`,
    };
    if (found.newest === version) logger.info(facts, 'search settings in force');
    else
      logger.error(
        { ...facts, newest: found.newest },
        'this release does not understand the newest search settings: an older version is in force',
      );
    metrics.searchSettings.set({ state: 'in_force' }, version);
    metrics.searchSettings.set({ state: 'newest' }, found.newest);
    newest = found.newest;
    return compileSettings(version, content, relevanceOfFile);
  };

  /** Follows the store. Rejects while MongoDB is down. */
  const refresh = async (): Promise<SearchSettings> => {
    const read = ++reads.begun;
    if (active && (await store.newest()) === newest) return active;
    const found = await store.inForce();
    // A call that began later has read what is newer.
    if (active && (read < reads.used || found.newest === newest)) return active;
    reads.used = read;
    return (active = use(found));
  };

  return {
    /** The relevance settings of versions without any of their own. */
    ofFile: relevanceOfFile,
    fileVersion: file.version,
    /** The version that a search uses from its beginning to its end. Rejects only before the first answer of MongoDB. */
    current: async (): Promise<SearchSettings> => active ?? refresh(),
    refresh,
    /** Follows the store unless MongoDB is down: then the version stays, and the health check reports it. */
    follow: async (): Promise<void> => {
      if (connection.readyState === mongoose.ConnectionStates.connected) await refresh();
    },
  };
}
