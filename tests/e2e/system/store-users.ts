import { serviceNames } from '@covalence/stack/services/service-name';
import { testStores } from '@covalence/testing/test-stores';
import { describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import type { System } from '../support/system.ts';

// External engines may have a single account.
const onOwnEngines = process.env['SERVICE_USERS'] === 'true' ? it : it.skip;

/** The store users of the services, checked after all other cases. */
export const storeUserCases = (current: () => System): void => {
  describe('the store users of the services', () => {
    onOwnEngines('are who the services connect as, and may do all that services do', async () => {
      const stack = current();
      const redis = new Redis(testStores().REDIS_URL);
      try {
        const clients = String(await redis.client('LIST'));
        const users = new Set([...clients.matchAll(/ user=(\w+)/g)].map(([, user]) => user));
        expect([...users]).toEqual(expect.arrayContaining(['gateway', 'auth', 'profile', 'updates']));
        expect(await redis.call('ACL', 'LOG')).toEqual([]);
      } finally {
        redis.disconnect();
      }
      const lines = serviceNames.flatMap((name) => stack.service(name).logs(Infinity));
      expect(lines.filter((line) => /NOPERM|NOAUTH|ACCESS_REFUSED|ACCESS-REFUSED/.test(line))).toEqual([]);
    });
  });
};
