import { afterEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { lockFolder, type Lock } from '../../src/processes/lock.ts';

const newPath = () => `/data/${randomBytes(8).toString('hex')}`;

describe('the lock of a data folder', () => {
  const locks: Lock[] = [];
  const lock = async (path: string) => {
    const taken = await lockFolder(path, 'http://localhost:1');
    locks.push(taken);
    return taken;
  };
  afterEach(async () => {
    await Promise.all(locks.splice(0).map((one) => one.release()));
  });

  it('keeps folders apart', async () => {
    await Promise.all([lock(newPath()), lock(newPath())]);
    expect(locks).toHaveLength(2);
  });

  it('names who has it', async () => {
    const path = newPath();
    await lock(path);
    await expect(lock(path)).rejects.toThrow(
      `Already running in this folder: process ${process.pid}, http://localhost:1.`,
    );
  });

  it('waits for one that is stopping', async () => {
    const path = newPath();
    const first = await lock(path);
    first.stopping();
    const second = lock(path);
    await first.release();
    locks.splice(0);
    await expect(second).resolves.toBeDefined();
  });
});
