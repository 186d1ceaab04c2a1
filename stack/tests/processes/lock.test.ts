import { afterEach, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { root } from '../../src/checkout.ts';
import { lockFolder, type Lock } from '../../src/processes/lock.ts';

const newPath = () => `/data/${randomBytes(8).toString('hex')}`;
const never = new AbortController().signal;

/** Starts a process that holds the lock of a folder. */
async function holderOf(path: string) {
  const module = JSON.stringify(`${root}stack/dist/processes/lock.js`);
  const held = `await lockFolder(${JSON.stringify(path)}, '', new AbortController().signal); console.log('held')`;
  const child = spawn(
    process.execPath,
    ['--eval', `const { lockFolder } = await import(${module}); ${held}`],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  await once(child.stdout, 'data');
  return child;
}

describe('the lock of a data folder', () => {
  const locks: Lock[] = [];
  const lock = async (path: string) => {
    const taken = await lockFolder(path, 'http://localhost:1', never);
    locks.push(taken);
    return taken;
  };
  afterEach(async () => {
    await Promise.all(locks.splice(0).map((one) => one.release()));
  });

  it('is separate for each folder', async () => {
    await Promise.all([lock(newPath()), lock(newPath())]);
    expect(locks).toHaveLength(2);
  });

  it('reports its holder', async () => {
    const path = newPath();
    await lock(path);
    await expect(lock(path)).rejects.toThrow(
      `Already running in this folder: process ${process.pid}, http://localhost:1.`,
    );
  });

  it('reports a suspended holder', async () => {
    const path = newPath();
    const holder = await holderOf(path);
    try {
      holder.kill('SIGSTOP');
      await expect(lock(path)).rejects.toThrow(/^Another start in .* does not respond\. .* with fg/);
    } finally {
      holder.kill('SIGKILL');
    }
  });

  it('is no longer awaited after an interruption', async () => {
    const path = newPath();
    (await lock(path)).stopping();
    const interrupted = new AbortController();
    const second = lockFolder(path, '', interrupted.signal);
    interrupted.abort();
    await expect(second).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
  });

  it('waits for a holder that is stopping', async () => {
    const path = newPath();
    const first = await lock(path);
    first.stopping();
    const second = lock(path);
    await first.release();
    locks.splice(0);
    await expect(second).resolves.toBeDefined();
  });
});
