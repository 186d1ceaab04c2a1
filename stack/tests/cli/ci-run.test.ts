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

/** The outcome of .ci/run when these commands are its checks and the runs of all suites without and with a browser. */
const ciRun = (verify: string, all: string, browser: string) => {
  program('node', ['exit 0']);
  program('npx', [verify]);
  program('npm', [
    `case "$*" in`,
    `'run test') ${all};;`,
    `'run test:browser') ${browser};;`,
    `*) exit 1;;`,
    'esac',
  ]);
  const { PATH = '' } = process.env;
  const env = { ...process.env, PATH: `${join(folder, 'bin')}:${PATH}` };
  const { status, stdout } = spawnSync('bash', [join(folder, '.ci/run')], { env, encoding: 'utf8' });
  return { status, last: stdout.trimEnd().split('\n').at(-1) };
};

const sound = 'exit 0';
const good = 'echo "702 passed, 0 failed"';
const failing = 'echo "FAIL a.test.ts (2 s)"; echo "700 passed, 2 failed"; exit 1';
const died = 'echo "FAIL a.test.ts (2 s)"; echo "0 passed, 1 failed"; exit 137';
const killed = 'exit 137';
const pages = 'echo "50 passed, 0 failed"';
const failingPages = 'echo "FAIL b.browser.test.ts (9 s)"; echo "49 passed, 1 failed"; exit 1';

describe('.ci/run', () => {
  it.each([
    ['all pass', sound, good, pages, { status: 0, last: '752 passed, 0 failed' }],
    ['a check fails', 'exit 1', good, pages, { status: 1, last: '752 passed, 1 failed' }],
    ['a test fails', sound, failing, pages, { status: 1, last: '750 passed, 2 failed' }],
    ['the run dies with one file failed', sound, died, pages, { status: 1, last: '50 passed, 1 failed' }],
    ['the run dies before it counts', sound, killed, pages, { status: 1, last: '50 passed, 1 failed' }],
    ['a page fails', sound, good, failingPages, { status: 1, last: '751 passed, 1 failed' }],
  ])('where %s', (_case, verify, all, browser, expected) => {
    expect(ciRun(verify, all, browser)).toEqual(expected);
  });
});
