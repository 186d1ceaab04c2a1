import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../src/checkout.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ci-run-'));
  mkdirSync(join(folder, 'bin'));
  for (const path of ['.ci/run', 'package.json']) cpSync(join(root, path), join(folder, path));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const program = (name: string, lines: readonly string[]) => {
  const file = join(folder, 'bin', name);
  writeFileSync(file, ['#!/bin/sh', ...lines, ''].join('\n'));
  chmodSync(file, 0o755);
};

/** What .ci/run comes to where the run of all tests prints and exits so, and that of a few files (with arguments) so. */
const ciRun = (all: string, few: string) => {
  for (const name of ['node', 'npx']) program(name, ['exit 0']);
  program('npm', ['if [ $# -gt 1 ]; then', few, 'else', all, 'fi']);
  const { PATH = '' } = process.env;
  const env = { ...process.env, PATH: `${join(folder, 'bin')}:${PATH}` };
  const { status, stdout } = spawnSync('bash', [join(folder, '.ci/run')], { env, encoding: 'utf8' });
  return { status, last: stdout.trimEnd().split('\n').at(-1) };
};

const failing = 'echo "FAIL a.test.ts (2 s)"; echo "700 passed, 2 failed"; exit 1';
const died = 'echo "FAIL a.test.ts (2 s)"; echo "0 passed, 1 failed"; exit 137';
const good = 'echo "3 passed, 0 failed"';

describe('.ci/run', () => {
  it.each([
    ['all pass', 'echo "702 passed, 0 failed"', good, { status: 0, last: '702 passed, 0 failed' }],
    ['few fail, and pass by themselves', failing, good, { status: 0, last: '702 passed, 0 failed' }],
    ['few fail twice', failing, failing, { status: 1, last: '700 passed, 2 failed' }],
    ['the run dies with one file failed', died, good, { status: 1, last: '0 passed, 1 failed' }],
  ])('where %s', (_case, all, few, expected) => {
    expect(ciRun(all, few)).toEqual(expected);
  });
});
