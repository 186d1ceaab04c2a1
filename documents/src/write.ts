import { readFile, writeFile } from 'node:fs/promises';
import type { Schema } from './openapi/schema.ts';

const root = new URL('../../', import.meta.url);

/** A document as text, in lines, so that diffs are readable. */
export const jsonText = (document: Schema): string => `${JSON.stringify(document, null, 2)}\n`;

/** The generated files. The gateway serves the documents. */
export const places = {
  routes: 'gateway/src/routing/service-routes.ts',
  openApi: 'gateway/documents/openapi.json',
  asyncApi: 'gateway/documents/asyncapi.json',
  types: 'libs/client/src/api.ts',
  architecturePage: 'docs/architecture.md',
  searchPage: 'docs/search.md',
  operationsPage: 'docs/operations.md',
  commandsPage: 'docs/commands.md',
  settingsPage: 'docs/settings.md',
  clientsPage: 'docs/clients.md',
  consolePage: 'docs/console.md',
  moderationPage: 'docs/moderation.md',
  deployPage: 'docs/deploy.md',
  figuresPage: 'docs/figures.md',
  scalePage: 'docs/scale.md',
  securityPage: 'docs/security.md',
} as const;

/** Records of the jobs of the console, which its tests write. */
export const consoleJobs = 'docs/console/jobs.json';

/** Files by their path in the repository. */
type Files = Readonly<Record<string, string>>;

/** The text at a path; undefined without a file. */
export const readWritten = (path: string) => readFile(new URL(path, root), 'utf8').catch(() => undefined);

/** The paths of files that are out of date. */
export async function outdated(files: Files): Promise<string[]> {
  const found = await Promise.all(
    Object.entries(files).map(async ([path, text]) => ((await readWritten(path)) === text ? [] : [path])),
  );
  return found.flat();
}

/** Writes the files. */
export async function write(files: Files): Promise<void> {
  await Promise.all(Object.entries(files).map(([path, text]) => writeFile(new URL(path, root), text)));
}
