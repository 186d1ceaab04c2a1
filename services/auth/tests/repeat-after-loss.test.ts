import { endedFlag } from '@covalence/contract/admission-flag';
import { createLogger } from '@covalence/runtime/logger';
import type { RedisClient } from '@covalence/runtime/redis';
import { describe, expect, it, jest } from '@jest/globals';
import { EventEmitter } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { repeatAfterLoss } from '../src/repeat-after-loss.ts';
import { createRevocationStore } from '../src/tokens/families/revocation-store.ts';

describe('revocations that Redis may have lost', () => {
  it('are repeated once for an outage of which a cluster tells many times, and not after the end', async () => {
    const redis = Object.assign(new EventEmitter(), { status: 'ready' });
    const stopping = new AbortController();
    const first = Promise.withResolvers<void>();
    const repeat = jest.fn(() => first.promise);
    const running: Promise<void>[] = [];
    repeatAfterLoss({
      redis: redis as unknown as RedisClient,
      repeat,
      afterResponse: { run: (work) => void running.push(work) },
      logger: createLogger('auth', 'silent'),
      signal: stopping.signal,
    });
    const tell = () => {
      redis.emit('close');
      redis.emit('ready');
    };
    for (let time = 0; time < 10; time += 1) tell();
    first.reject(new Error('CLUSTERDOWN Hash slot not served'));
    await nextTurn();
    tell();
    expect(repeat).toHaveBeenCalledTimes(1);
    stopping.abort();
    await Promise.all(running);
    tell();
    expect(repeat).toHaveBeenCalledTimes(1);
  });

  it('are set and told for the sign-ins whose server takes writes', async () => {
    const set = jest.fn((key: string, _flag: string) =>
      key.endsWith('away')
        ? Promise.reject(new Error('CLUSTERDOWN Hash slot not served'))
        : Promise.resolve('OK'),
    );
    const publish = jest.fn((_channel: string, _text: string) => Promise.resolve(1));
    const store = createRevocationStore({ set, publish } as unknown as RedisClient, 'n');
    const families = ['away', 'here'].map((id) => ({ id, member: 7 }));
    await expect(store.revokeFamilies(families)).rejects.toThrow('CLUSTERDOWN');
    expect(set.mock.calls.map(([, flag]) => flag)).toEqual([endedFlag, endedFlag]);
    expect(publish.mock.calls.map(([, text]) => text)).toEqual([`${endedFlag} here`]);
  });
});
