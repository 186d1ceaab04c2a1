import { describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from './run-command.ts';

describe('the commands', () => {
  it('say in one line that their data folder is a file', async () => {
    const refused = await runCommand(['migrate', 'status', '--data', import.meta.filename], {
      NAMESPACE: '',
    });
    expect(refused).toMatchObject({ code: 1, problem: expect.stringMatching(/^No stack runs here.*$/) });
  });

  it('make no data folder', async () => {
    const data = join(tmpdir(), `covalence-nothing-${process.pid}`);
    const refused = await runCommand(['migrate', 'status', '--data', data], { NAMESPACE: '' });
    expect([refused.code, existsSync(data)]).toEqual([1, false]);
  });

  it.each([
    ['index', 'rebuild   '],
    ['migrate', 'finish '],
    ['events', 'pnpm covalence events replay'],
    ['relevance', '--members COUNT'],
  ])('pnpm %s explains itself without a stack or a configuration', async (name, part) => {
    const help = await runCommand([name, '--help'], { NAMESPACE: '' });
    expect([help.code, help.out]).toEqual([0, expect.stringContaining(part)]);
    expect(help.out.split(part)).toHaveLength(2);
  });

  it.each([
    ['index', 'drop', 'pnpm covalence index <command> [--data DIR]'],
    ['migrate', 'finish', 'up      builds the indexes of this version and runs what is due before it starts'],
  ])('pnpm %s does nothing where more is said than a command takes', async (name, command, usage) => {
    const refused = await runCommand([name, command, '--dry-run'], { NAMESPACE: 'nobody' });
    expect([refused.code, refused.out.split('\n')[0]]).toEqual([64, usage]);
  });

  it('pnpm covalence migrate status tells of every part, also where one has something left', async () => {
    const status = await runCommand(['migrate', 'status'], { NAMESPACE: 'nobody' });
    expect(status.code).not.toBe(0);
    expect(
      status.problem.split('\n').filter((line) => line === 'The configuration is not valid:'),
    ).toHaveLength(4);
  });

  it('pnpm covalence relevance takes files as the folder that it is called in knows them', async () => {
    const called = { NAMESPACE: 'nobody', INIT_CWD: '/srv/judged' };
    const refused = await runCommand(['relevance', '--judgments', 'mine.json'], called);
    expect([refused.code, refused.problem.split('\n')[0]]).toEqual([1, '/srv/judged/mine.json:']);
  });
});
