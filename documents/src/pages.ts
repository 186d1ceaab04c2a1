import { withCapacity } from './capacity.ts';
import { withClientOptions, withCommands } from './commands.ts';
import { withEnvironment } from './environment.ts';
import { withFrames } from './live-updates.ts';
import { withSeries } from './metrics.ts';
import { withSettings } from './relevance-settings.ts';
import { withShardKeys } from './shard-keys.ts';
import { withSites } from './sites.ts';
import { withStaffCalls } from './staff-calls.ts';
import type { Schema } from './openapi/schema.ts';
import { places, readWritten } from './write.ts';

const read = async (path: string) => (await readWritten(path)) ?? '';

/** The pages of docs/ with the tables that come from the code, by path. */
export async function writtenPages(openApi: Schema): Promise<Readonly<Record<string, string>>> {
  const [search, operations, commands, settings, clients, moderation, deploy, scale] = await Promise.all(
    [
      places.searchPage,
      places.operationsPage,
      places.commandsPage,
      places.settingsPage,
      places.clientsPage,
      places.moderationPage,
      places.deployPage,
      places.scalePage,
    ].map(read),
  );
  return {
    [places.searchPage]: withSettings(search ?? ''),
    [places.operationsPage]: await withClientOptions(await withSeries(operations ?? '')),
    [places.commandsPage]: await withCommands(commands ?? ''),
    [places.settingsPage]: withSites(withEnvironment(settings ?? '')),
    [places.clientsPage]: withFrames(clients ?? ''),
    [places.moderationPage]: withStaffCalls(moderation ?? '', openApi),
    [places.deployPage]: withShardKeys(deploy ?? ''),
    [places.scalePage]: withCapacity(scale ?? ''),
  };
}
