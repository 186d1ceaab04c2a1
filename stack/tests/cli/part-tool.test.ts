import { describe, expect, it } from '@jest/globals';
import { defaultData, root } from '../../src/checkout.ts';
import { readArguments } from '../../src/cli/part-tool.ts';

describe("the arguments of a part's tool", () => {
  it.each<[args: string[], dataPath: string, rest: string[]]>([
    [['status'], defaultData, ['status']],
    [['status', '--data', 'other'], `${root}other`, ['status']],
    [['--data', '/srv/stack', 'rebuild'], '/srv/stack', ['rebuild']],
    [['list', '--data=other', '--json'], `${root}other`, ['list', '--json']],
  ])('%j', (args, dataPath, rest) => expect(readArguments(args)).toEqual({ dataPath, rest }));

  it.each([[['drop', '--data']], [['drop', '--data=']]])('%j names no folder', (args) => {
    expect(() => readArguments(args)).toThrow('--data takes the folder of a stack.');
  });
});
