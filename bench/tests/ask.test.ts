import { describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { ask } from '../ask.ts';

/** Starts a process that runs a line of code. */
const start = (code: string): ChildProcess =>
  spawn(process.execPath, ['--eval', code], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });

describe('a question to a process of a benchmark', () => {
  it('is answered by its next message', async () => {
    const child = start("process.once('message', (said) => { process.send([said]); process.disconnect(); })");
    expect(await ask(child, 'how many')).toEqual(['how many']);
  });

  it('rejects when the process exits instead of answering', async () => {
    const child = start("process.once('message', () => process.exit(3))");
    await expect(ask(child, 'how many')).rejects.toThrow('a process of the benchmark ended (exit code 3)');
  });

  it('rejects when the process has exited', async () => {
    const child = start('process.exit(0)');
    await once(child, 'exit');
    await expect(ask(child, 'how many')).rejects.toThrow('Channel closed');
  });
});
