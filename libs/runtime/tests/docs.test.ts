import { describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const text = (path: string) => readFileSync(join(root, path), 'utf8');
const pagesIn = (folder: string) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);
const documents = ['README.md', 'libs/client/README.md', ...pagesIn('docs'), ...pagesIn('docs/decisions')];

/** The test file without escaped quotes, which titles in pages do not have. */
const titlesOf = (path: string) => text(path).replaceAll("\\'", "'");

describe('the documents', () => {
  it.each(documents)('%s has no broken links', (document) => {
    const links = [...text(document).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map(
      ([, target]) => target,
    );
    const missing = links.filter((target) => !existsSync(join(root, dirname(document), target ?? '')));
    expect(missing).toEqual([]);
  });

  it.each(documents)('%s names existing tests', (document) => {
    const named = [
      ...text(document).matchAll(/`((?:gateway|services|libs|stack|tests\/e2e)\/[\w./-]+\.test\.ts)`/g),
    ];
    expect(named.map(([, path]) => path).filter((path) => !existsSync(join(root, path ?? '')))).toEqual([]);
  });

  it('docs/compliance.md quotes existing test titles', () => {
    const shown = [...text('docs/compliance.md').matchAll(/`([\w./-]+\.ts)` "([^"]+)"/g)];
    expect(shown.length).toBeGreaterThan(200);
    const untrue = shown.filter(([, path = '', title = '']) => !titlesOf(path).includes(title));
    expect(untrue.map(([reference]) => reference)).toEqual([]);
  });
});
