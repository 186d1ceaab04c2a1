import { root } from '@covalence/stack/checkout';
import { describe, expect, it } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Calls that change something and have a command of another kind: on the stores, or one that does the same item by item. */
const otherCommands: Readonly<Record<string, string>> = {
  'POST /staff/queue/decide': 'staff approve',
  'POST /staff/operations/dead-letters/replay': 'events replay',
  'DELETE /staff/operations/dead-letters/{queue}/{letterid}': 'events drop',
  'POST /staff/search/settings': 'search-settings publish',
  'POST /staff/search/settings/rollback': 'search-settings rollback',
  'POST /staff/search/experiments': 'experiment start',
  'POST /staff/search/experiments/{name}/stop': 'experiment stop',
  'POST /staff/search/judgment-sets/{id}/import': 'judgments import',
  'POST /staff/search/judgment-sets/{id}/runs': 'judgments run',
};

/** The variable parts of paths in commands that make several calls. */
const outcomes = ['approve', 'reject', 'suspend', 'unsuspend', 'delete', 'undelete', 'grant', 'refuse'];

const { paths } = JSON.parse(readFileSync(join(root, 'gateway/documents/openapi.json'), 'utf8')) as {
  readonly paths: Readonly<Record<string, object>>;
};
const writes = Object.entries(paths).flatMap(([path, methods]) =>
  path.startsWith('/staff/')
    ? Object.keys(methods)
        .filter((method) => ['post', 'put', 'patch', 'delete'].includes(method))
        .map((method) => `${method.toUpperCase()} ${path}`)
    : [],
);

const sources = globSync('cli/src/**/*.ts', { cwd: root }).map((path) =>
  readFileSync(join(root, path), 'utf8'),
);
const called = new Set(
  sources.flatMap((source) =>
    [...source.matchAll(/api\.([A-Z]+)\(\s*['`](\/staff\/[^'`]+)['`]/g)].flatMap(([, method, path = '']) =>
      outcomes.map((outcome) => `${method} ${path.replace(/\$\{\w+\}/, outcome)}`),
    ),
  ),
);

describe('each change that staff can make by a call', () => {
  it.each(writes)('%s has a command', (write) => {
    expect(called.has(write)).toBe(otherCommands[write] === undefined);
  });

  it('is made by a command that exists', () => {
    const commands = readFileSync(join(root, 'docs/commands.md'), 'utf8');
    expect(writes).toEqual(expect.arrayContaining(Object.keys(otherCommands)));
    for (const command of Object.values(otherCommands))
      expect(commands).toMatch(new RegExp(`^\\| .${command}\\b`, 'm'));
  });
});
