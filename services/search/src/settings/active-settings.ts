import { noLease, startPeriodic, type Periodic } from '@covalence/events/periodic';
import type { Logger } from '@covalence/runtime/logger';
import type { Metrics } from '@covalence/runtime/metrics';
import mongoose, { type Connection } from 'mongoose';
import { z } from 'zod';
import { relevanceSchema, type RelevanceFile } from '../relevance/relevance-settings.ts';
import { compileSettings, noContent, ofFile, type SearchSettings } from './search-settings.ts';
import type { SettingsStore, SettingsVersion } from './settings-store.ts';

/** The version in force, which this process follows. */
export type ActiveSettings = ReturnType<typeof createActiveSettings>;

/** Interval in which each process looks for a newer version. */
const checkMs = 2_000;

/** Creates what follows the store. `file` has the relevance settings of versions without any of their own. */
export function createActiveSettings(
  store: SettingsStore,
  file: RelevanceFile,
  { connection, logger, metrics }: { connection: Connection; logger: Logger; metrics: Metrics },
) {
  const relevanceOfFile = ofFile(file);
  let active: SearchSettings | undefined;
  let periodic: Periodic | undefined;

  /** A release may no longer know what an older one published. */
  const compile = ({ version, content }: Pick<SettingsVersion, 'version' | 'content'>): SearchSettings => {
    const { success, data, error } = relevanceSchema.nullable().safeParse(content.relevance);
    const relevance = data ?? null;
    if (!success)
      logger.error({ version, problems: z.prettifyError(error) }, 'published relevance is not valid');
    logger.info(
      { version, relevance: relevance ? 'published' : `version ${file.version} of RELEVANCE_FILE` },
      'search settings in force',
    );
    return compileSettings(version, { ...content, relevance }, relevanceOfFile);
  };

  /** Reads a newer version if there is one. Rejects while MongoDB is down. */
  const refresh = async (): Promise<SearchSettings> => {
    const newer = await store.newest(active?.version);
    // Another call may have been faster.
    if (newer && newer.version > (active?.version ?? 0)) active = compile(newer);
    return (active ??= compile({ version: 0, content: noContent }));
  };

  const work = async () => {
    // While MongoDB is down the version stays, and the health check tells.
    if (connection.readyState === mongoose.ConnectionStates.connected) await refresh();
  };

  return {
    /** The relevance settings of versions without any of their own. */
    ofFile: relevanceOfFile,
    fileVersion: file.version,
    /** The version that a search uses from its beginning to its end. Rejects only before the first answer of MongoDB. */
    current: async (): Promise<SearchSettings> => active ?? refresh(),
    refresh,
    start() {
      periodic = startPeriodic({ name: 'settings', everyMs: checkMs, lease: noLease, work, logger, metrics });
    },
    async close(): Promise<void> {
      await periodic?.close();
    },
  };
}
