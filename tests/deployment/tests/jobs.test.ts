import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../files.ts';

const execute = promisify(execFile);

/** The job that FAILED names does not complete. */
const kubectl = `#!/bin/sh
echo "$*" >> "$LOG"
case "$*" in *condition=complete*"job/$FAILED") exit 1 ;; esac
`;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'jobs-'));
  writeFileSync(join(folder, 'kubectl'), kubectl);
  chmodSync(join(folder, 'kubectl'), 0o755);
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Runs a command with the functions of jobs.sh; resolves with the calls of kubectl, and whether it succeeded. */
async function ask(command: string, failed = 'none') {
  const LOG = join(folder, 'log');
  rmSync(LOG, { force: true });
  const env = { PATH: `${folder}:${process.env['PATH'] ?? ''}`, LOG, FAILED: failed };
  const succeeded = await execute('sh', ['-c', `. k8s/jobs.sh; ${command}`], { cwd: root, env }).then(
    () => true,
    () => false,
  );
  return { succeeded, asked: readFileSync(LOG, 'utf8') };
}

it.each([
  ['up', ''],
  ['finish', '-finish'],
])('run %s starts the job of this step for each service with a database', async (step, suffix) => {
  const { succeeded, asked } = await ask(`run ${step} 2`);
  expect(succeeded).toBe(true);
  expect([...asked.matchAll(/create job (\S+) --from=cronjob\/(\S+)/g)].map(([, ...names]) => names)).toEqual(
    ['auth', 'billing', 'profile', 'search'].map((service) => [
      `${step}-${service}-2`,
      `migrate-${service}${suffix}`,
    ]),
  );
});

it.each(['up-auth-2', 'up-search-2'])('run fails if the job %s does', async (failed) => {
  expect((await ask('run up 2', failed)).succeeded).toBe(false);
});

it('job runs the arguments by the job of restores, and fails if it does', async () => {
  const { succeeded, asked } = await ask(`job list-1 '"backup","list"'`);
  expect(succeeded).toBe(true);
  expect(asked).toContain('create job list-1 --from=cronjob/restore');
  expect(asked).toContain('"value":["dist/covalence.js","backup","list"]');
  expect((await ask(`job list-1 '"backup","list"'`, 'list-1')).succeeded).toBe(false);
});
