import { describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const processOne = new URL('../src/process-one.ts', import.meta.url).href;

/** The exit code, or signal, of a program that gets a signal after its first output. */
async function endOf(program: string, signal: NodeJS.Signals): Promise<unknown> {
  const args = ['--import', processOne, '--input-type=module', '--eval', program];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  await once(child.stdout, 'data');
  child.kill(signal);
  const [code, by] = (await ended) as [number | null, string | null];
  return code ?? by;
}

const lasting = "console.log('here'); setInterval(() => {}, 1_000);";

describe('process 1', () => {
  it.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('hears %s although nobody listens, and ends by itself', async (signal, code) => {
    expect(await endOf(lasting, signal)).toBe(code);
  });

  it('leaves a signal to the listeners of the program', async () => {
    const own = "process.on('SIGTERM', () => setTimeout(() => process.exit(7), 10));";
    expect(await endOf(own + lasting, 'SIGTERM')).toBe(7);
  });
});
