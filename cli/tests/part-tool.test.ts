import { afterAll, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { defaultData, root } from '@covalence/stack/checkout';
import { takeDataOption } from '../src/part-tool.ts';
import { startTimeOf } from '@covalence/stack/engines/process-table';

describe("the arguments of a part's tool", () => {
  it.each<[args: string[], dataPath: string, rest: string[]]>([
    [['status'], defaultData, ['status']],
    [['status', '--data', 'other'], `${root}other`, ['status']],
    [['--data', '/srv/stack', 'rebuild'], '/srv/stack', ['rebuild']],
    [['list', '--data=other', '--json'], `${root}other`, ['list', '--json']],
  ])('%j', (args, dataPath, rest) => expect(takeDataOption(args)).toEqual({ dataPath, rest }));

  it.each([[['drop', '--data']], [['drop', '--data=']]])('%j names no folder', (args) => {
    expect(() => takeDataOption(args)).toThrow('--data takes the folder of a stack.');
  });
});

describe("a part's tool", () => {
  const folder = mkdtempSync(join(tmpdir(), 'covalence-tool-'));
  const tool = join(folder, 'tool.mjs');
  writeFileSync(tool, 'console.log(process.pid); setTimeout(() => {}, 20_000);');

  it.each(['SIGTERM', 'SIGHUP'] as const)('ends with the command that runs it (%s)', async (signal) => {
    const file = relative(join(root, 'services/search/dist'), tool);
    const call = `runPartTool({ part: 'search', file: ${JSON.stringify(file)}, args: ['--help'] }, process.env)`;
    const code = `import { runPartTool } from '${root}cli/dist/part-tool.js'; process.exit(await ${call});`;
    const command = spawn(process.execPath, ['--input-type=module', '--eval', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [pid] = (await once(command.stdout, 'data')) as [Buffer];
    command.kill(signal);
    expect(await once(command, 'exit')).toEqual([128 + { SIGTERM: 15, SIGHUP: 1 }[signal], null]);
    expect(startTimeOf(Number(pid))).toBeUndefined();
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));
});
