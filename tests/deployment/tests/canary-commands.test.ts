import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { read, root } from '../files.ts';
import { services } from '../speaks-to.ts';

const run = promisify(execFile);
const section = read('k8s/README.md').split('\n## Canaries\n')[1]?.split('\n## ')[0] ?? '';
const [functions = '', turnOn = '', ...turnOff] = [...section.matchAll(/^```sh\n([^]*?)^```$/gm)].map(
  ([, commands = '']) => commands,
);

/** Answers with 4 processes; the Rollout that FAILED names is rolled back. */
const kubectl = `#!/bin/sh
echo "$*" >> "$LOG"
case "$*" in
  *" get "*) printf 4 ;;
  *" create "*) cat >> "$LOG" ;;
  *" status $FAILED "*) exit 1 ;;
esac
`;

/** The scaled resources, each with its number of processes. */
const scaled = (text: string) =>
  [...text.matchAll(/ scale (\w+) (\S+).* --replicas=(\d+)$/gm)].map(([, kind, name, count]) =>
    [kind, name, count].join(' '),
  );

describe('the commands that turn canaries on and off', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'canary-commands-'));
    writeFileSync(join(folder, 'kubectl'), kubectl);
    writeFileSync(join(folder, 'sleep'), '');
    for (const name of ['kubectl', 'sleep']) chmodSync(join(folder, name), 0o755);
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  /** Runs commands; resolves with what kubectl was asked, and whether they succeeded. */
  async function ask(commands: string, failed = 'none') {
    const LOG = join(folder, 'log');
    rmSync(LOG, { force: true });
    const env = { PATH: `${folder}:${process.env['PATH'] ?? ''}`, LOG, FAILED: failed, overlay: 'ours' };
    const succeeded = await run('sh', ['-c', functions + commands], { cwd: root, env }).then(
      () => true,
      () => false,
    );
    return { succeeded, asked: readFileSync(LOG, 'utf8') };
  }

  it('start every Rollout with the processes of its Deployment, and only then stop those', async () => {
    const { succeeded, asked } = await ask(turnOn);
    expect(succeeded).toBe(true);
    expect(asked.match(/^ {2}replicas: 4$/gm)).toHaveLength(services.length);
    expect(scaled(asked)).toEqual([
      ...['gateway', 'auth', 'profile', 'search', 'billing', 'updates'].map(
        (service) => `rollout ${service} 4`,
      ),
      'deployment -l 0',
    ]);
    expect(asked.lastIndexOf(' status ')).toBeLessThan(asked.indexOf('--replicas=0'));
  });

  it.each(['gateway', 'updates'])('stop no process if the Rollout of %s does not start', async (service) => {
    const { succeeded, asked } = await ask(turnOn, service);
    expect(succeeded).toBe(false);
    expect(asked).not.toContain('--replicas=0');
  });

  it('start every Deployment with the processes of its Rollout, and only then delete those', async () => {
    const { succeeded, asked } = await ask(turnOff.join(''));
    expect(succeeded).toBe(true);
    expect(scaled(asked)).toEqual(
      ['gateway', 'auth', 'profile', 'search', 'billing', 'updates'].map(
        (service) => `deployment ${service} 4`,
      ),
    );
    const order = ['--replicas=4', 'rollout status deployment', 'apply -k ours', 'delete -f'];
    expect(order.map((text) => asked.indexOf(text))).toEqual(
      order.map((text) => asked.indexOf(text)).toSorted((one, other) => one - other),
    );
    for (const file of ['rollouts', 'services', 'analysis'])
      expect(asked).toMatch(new RegExp(`delete .*k8s/components/canary/${file}.yaml`));
  });
});
