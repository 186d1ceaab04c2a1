import { withCapacity } from './capacity.ts';
import { withClientOptions, withCommands } from './commands.ts';
import { withConsoleJobs } from './console-jobs.ts';
import { withDomains } from './domains.ts';
import { withEnvironment } from './environment.ts';
import { withFigures } from './figures.ts';
import { withFrames } from './live-updates.ts';
import { withSeries } from './metrics.ts';
import { withSettings } from './relevance-settings.ts';
import { withSecurityEvents } from './security-events.ts';
import { withShardKeys } from './shard-keys.ts';
import { withSites } from './sites.ts';
import { withStaffCalls } from './staff-calls.ts';
import type { Schema } from './openapi/schema.ts';
import { consoleJobs, places, readWritten } from './write.ts';

const read = async (path: string) => (await readWritten(path)) ?? '';

/** The pages of docs/ with the tables that come from the code, by path. */
export async function writtenPages(openApi: Schema): Promise<Readonly<Record<string, string>>> {
  return {
    [places.architecturePage]: withDomains(await read(places.architecturePage)),
    [places.searchPage]: withSettings(await read(places.searchPage)),
    [places.operationsPage]: await withClientOptions(await withSeries(await read(places.operationsPage))),
    [places.commandsPage]: await withCommands(await read(places.commandsPage)),
    [places.settingsPage]: withSites(withEnvironment(await read(places.settingsPage))),
    [places.clientsPage]: withFrames(await read(places.clientsPage)),
    [places.moderationPage]: withStaffCalls(await read(places.moderationPage), openApi),
    [places.securityPage]: withSecurityEvents(await read(places.securityPage)),
    [places.consolePage]: withConsoleJobs(await read(places.consolePage), await read(consoleJobs)),
    [places.deployPage]: withShardKeys(await read(places.deployPage)),
    [places.figuresPage]: withFigures(await read(places.figuresPage)),
    [places.scalePage]: withCapacity(await read(places.scalePage)),
  };
}
