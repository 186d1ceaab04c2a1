import { buildAsyncApi } from './async-api.ts';
import { capacity } from './capacity.ts';
import { clientOptions, commands } from './commands.ts';
import { environment, sites } from './environment.ts';
import { savedFigures } from './figures.ts';
import { gatewayRoutes } from './gateway-routes.ts';
import type { Schema } from './openapi/schema.ts';
import { partsAmongEquals, relevanceSettings, searchLimits } from './relevance-settings.ts';
import { consoleJobs, domains, events, frames, series, shardKeys, staffCalls } from './tables.ts';
import { jsonText, read, type Files } from './write.ts';

/** The generated parts of the pages of docs/, by the name that the page gives them. */
export const pageParts = async () => ({
  'docs/architecture.md': { domains: domains() },
  'docs/search.md': { settings: relevanceSettings(), parts: partsAmongEquals(), limits: searchLimits() },
  'docs/operations.md': { series: await series(), clients: await clientOptions() },
  'docs/commands.md': { commands: await commands() },
  'docs/settings.md': { settings: environment(), sites: sites() },
  'docs/clients.md': { frames: frames() },
  'docs/moderation.md': { calls: staffCalls() },
  'docs/security.md': { events: events() },
  'docs/console.md': { jobs: consoleJobs() },
  'docs/deploy.md': { shards: shardKeys() },
  'docs/figures.md': { figures: savedFigures() },
  'docs/scale.md': { capacity: capacity() },
});

const end = '<!-- end of generated -->';

/** A page with the texts of its generated parts, by their names; throws if it marks none of a name. */
export function withParts(page: string, parts: Readonly<Record<string, string>>): string {
  return Object.entries(parts).reduce((written, [name, text]) => {
    const begin = `<!-- generated: ${name} -->`;
    const [before, rest = ''] = written.split(`${begin}\n`);
    const [, ...after] = rest.split(`\n${end}`);
    if (before === undefined || !after.length)
      throw new Error(`a page with a generated part must have the line ${begin}, and below it ${end}`);
    return [`${before}${begin}\n\n${text}\n`, ...after].join(`\n${end}`);
  }, page);
}

/** Every generated file except the types of the client, by path. The gateway serves the documents. */
export async function writtenFiles(openApi: Schema): Promise<Files> {
  const pages = Object.entries(await pageParts()).map(
    async ([path, parts]) => [path, withParts(await read(path), parts)] as const,
  );
  return {
    'gateway/src/routing/service-routes.ts': gatewayRoutes(),
    'gateway/documents/openapi.json': jsonText(openApi),
    'gateway/documents/asyncapi.json': jsonText(buildAsyncApi()),
    ...Object.fromEntries(await Promise.all(pages)),
  };
}
