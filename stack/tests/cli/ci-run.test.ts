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

/** The outcome of .ci/run when these commands are the runs of all suites, of few suites by name, and of those with a browser. */
const ciRun = (all: string, few: string, browser: string) => {
  for (const name of ['node', 'npx']) program(name, ['exit 0']);
  program('npm', [
    `case "$*" in`,
    `'run test') ${all};;`,
    `'run test:browser') ${browser};;`,
    `'run test -- a.test.ts'|'run test:browser -- b.browser.test.ts') ${few};;`,
    `*) exit 1;;`,
    'esac',
  ]);
  const { PATH = '' } = process.env;
  const env = { ...process.env, PATH: `${join(folder, 'bin')}:${PATH}` };
  const { status, stdout } = spawnSync('bash', [join(folder, '.ci/run')], { env, encoding: 'utf8' });
  return { status, last: stdout.trimEnd().split('\n').at(-1) };
};

const good = 'echo "702 passed, 0 failed"';
const failing = 'echo "FAIL a.test.ts (2 s)"; echo "700 passed, 2 failed"; exit 1';
const died = 'echo "FAIL a.test.ts (2 s)"; echo "0 passed, 1 failed"; exit 137';
const killed = 'exit 137';
const pages = 'echo "50 passed, 0 failed"';
const failingPages = 'echo "FAIL b.browser.test.ts (9 s)"; echo "49 passed, 1 failed"; exit 1';
const again = 'echo "3 passed, 0 failed"';

describe('.ci/run', () => {
  it.each([
    ['all pass', good, again, pages, { status: 0, last: '752 passed, 0 failed' }],
    ['few fail, and pass by themselves', failing, again, pages, { status: 0, last: '752 passed, 0 failed' }],
    ['few fail twice', failing, failing, pages, { status: 1, last: '750 passed, 2 failed' }],
    ['the run dies with one file failed', died, again, pages, { status: 1, last: '50 passed, 1 failed' }],
    ['the run dies before it counts', killed, again, pages, { status: 1, last: '50 passed, 1 failed' }],
    [
      'a page fails, and passes by itself',
      good,
      again,
      failingPages,
      { status: 0, last: '752 passed, 0 failed' },
    ],
    ['a page fails twice', good, failing, failingPages, { status: 1, last: '751 passed, 1 failed' }],
  ])('where %s', (_case, all, few, browser, expected) => {
    expect(ciRun(all, few, browser)).toEqual(expected);
  });
});
