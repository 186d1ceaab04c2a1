import { expect, it } from '@jest/globals';
import { createProgram, runProgram } from '../src/command.ts';

it('survives a closed pipe, with one listener however many programs run', async () => {
  const streams = [process.stdout, process.stderr];
  for (let run = 0; run < 3; run += 1)
    expect(await runProgram(createProgram('covalence', 'test'), [])).toBe(0);
  expect(streams.map((stream) => stream.listenerCount('error'))).toEqual([1, 1]);
});
