import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { code, tableOf, withGenerated } from './table.ts';

const layers = z
  .record(z.string(), z.array(z.string()))
  .parse(JSON.parse(readFileSync(new URL('../../.dependency-layers.json', import.meta.url), 'utf8')));

/** Names of the folders in `src` of a service, without their subfolders. */
const domainsOf = (folders: readonly string[]) => [
  ...new Set(folders.flatMap((folder) => (folder === '.' ? [] : (folder.split('/')[0] ?? [])))),
];

/** docs/architecture.md with the domains of each service in the order of their imports. */
export function withDomains(page: string): string {
  const rows = Object.entries(layers).map(([service, folders]) => [
    service,
    domainsOf(folders).map(code).join(', '),
  ]);
  return withGenerated(page, 'domains', tableOf(['service', 'domains'], rows));
}
