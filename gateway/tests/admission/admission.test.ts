import { endedFlag } from '@covalence/contract/admission-flag';
import { redisKeys } from '@covalence/contract/redis-keys';
import { createTcpProxy } from '@covalence/testing/tcp-proxy';
import { testStores } from '@covalence/testing/test-stores';
import type { TestForgery } from '@covalence/testing/test-tokens';
import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Redis } from 'ioredis';
import request from 'supertest';
import { routes } from '../../src/routing/routes.ts';
import { startService, type ServiceUnderTest } from '../harness.ts';

const staffRoute = { service: 'profile', methods: ['GET'], access: 'staff' } as const;

describe('admission', () => {
  let gateway: ServiceUnderTest;
  let redis: Redis;
  /** The gateway's. */
  let own: Redis;
  let now = Date.parse('2030-01-01T00:00:00Z');

  beforeAll(async () => {
    redis = new Redis(testStores().REDIS_URL);
    own = new Redis(testStores().REDIS_URL);
    gateway = await startService('admission', {
      overrides: {
        redis: own,
        routes: { ...routes, '/staff/queue': staffRoute },
        clock: () => new Date(now),
      },
    });
  });
  afterAll(async () => {
    await gateway.close();
    redis.disconnect();
  });

  const call = (path: string, authorization?: string) => {
    const get = request(gateway.url).get(path);
    return authorization ? get.set('Authorization', authorization) : get;
  };

  it('admits a member and forwards the token', async () => {
    const authorization = await gateway.tokens.authorization({ id: 1 });
    const { body } = await call('/packages', authorization).expect(200);
    expect(body.headers.authorization).toBe(authorization);
  });

  it.each([undefined, 'Basic dTpw'])(
    'without a bearer token (%s) answers 401 with a bare challenge',
    async (sent) => {
      const { headers, body } = await call('/packages', sent).expect(401);
      expect(headers['www-authenticate']).toBe('Bearer realm="covalence"');
      expect(body).toEqual({ fail: 'Unauthorized' });
    },
  );

  it('accepts no token in the query or body, which logs and histories store', async () => {
    const token = (await gateway.tokens.authorization({ id: 1 })).replace('Bearer ', '');
    const inAddress = await call(`/packages?access_token=${token}`);
    const inBody = await request(gateway.url).post('/like').type('form').send({ access_token: token });
    expect([inAddress.status, inBody.status]).toEqual([401, 401]);
  });

  it.each([
    ['garbage', () => 'Bearer no.token.here'],
    ['an expired token', () => gateway.tokens.authorization({ id: 1, lifetime: -1 })],
  ])('answers %s with 401 invalid_token and calls no service', async (_name, authorization) => {
    const before = gateway.service.requests.length;
    const { headers } = await call('/packages', await authorization()).expect(401);
    expect(headers['www-authenticate']).toContain('error="invalid_token"');
    expect(gateway.service.requests).toHaveLength(before);
  });

  it.each<[string, TestForgery]>([
    ['another issuer', { issuer: 'http://evil.test' }],
    ['another audience', { audience: 'http://other.test' }],
    ["somebody else's key", { otherKey: true }],
    ['another type', { type: 'JWT' }],
    ['ES384', { algorithm: 'ES384' }],
    ['HS256 with the public key as secret', { algorithm: 'HS256' }],
    ['no algorithm', { algorithm: 'none' }],
  ])('answers a token of %s with 401 invalid_token and calls no service', async (_name, forgery) => {
    const before = gateway.service.requests.length;
    const authorization = await gateway.tokens.authorization({ id: 1 }, forgery);
    const { headers } = await call('/packages', authorization).expect(401);
    expect(headers['www-authenticate']).toContain('error="invalid_token"');
    expect(gateway.service.requests).toHaveLength(before);
    // The same token without the forgery is accepted.
    await call('/packages', await gateway.tokens.authorization({ id: 1 }, {})).expect(200);
  });

  it.each(['family', 'client'] as const)(
    'refuses tokens of an ended %s with 401, and no others',
    async (kind) => {
      const ended = await gateway.tokens.authorization({ id: 7, family: 'f1', clientId: 'c1' });
      const staff = { id: 0, scope: 'staff', family: 'f1', clientId: 'c1' };
      const other = await gateway.tokens.authorization({ id: 7, family: 'f2', clientId: 'c2' });
      await call('/packages', ended).expect(200);
      const key = redisKeys.ended(gateway.config.NAMESPACE, kind, kind === 'family' ? 'f1' : 'c1');
      await redis.set(key, endedFlag, 'EX', 60);
      const { headers } = await call('/packages', ended).expect(401);
      expect(headers['www-authenticate']).toContain('error="invalid_token"');
      await call('/staff/queue', await gateway.tokens.authorization(staff)).expect(401);
      await call('/packages', other).expect(200);
      await redis.del(key);
      await call('/packages', ended).expect(200);
    },
  );

  it('admits calls without a token if it is optional, but none with an invalid one', async () => {
    const stranger = await call('/questions').expect(200);
    expect(stranger.body.headers.authorization).toBeUndefined();
    const authorization = await gateway.tokens.authorization({ id: 1 });
    const { body } = await call('/questions', authorization).expect(200);
    expect(body.headers.authorization).toBe(authorization);
    await call('/questions', 'Bearer no.token.here').expect(401);
  });

  it.each(['/packages', '/questions'])(
    'answers a staff token on the member route %s with 403',
    async (path) => {
      const before = gateway.service.requests.length;
      const { body } = await call(path, await gateway.tokens.authorization({ id: 0, scope: 'staff' })).expect(
        403,
      );
      expect(body).toEqual({ fail: 'Forbidden' });
      expect(gateway.service.requests).toHaveLength(before);
    },
  );

  it('refuses by the flags that can be read when the server of another one is down', async () => {
    const clientId = 'on-the-server-that-is-down';
    const authorization = await gateway.tokens.authorization({ id: 9, clientId });
    const away = jest
      .spyOn(own, 'get')
      .mockImplementation((key) =>
        String(key).endsWith(clientId)
          ? Promise.reject(new Error('CLUSTERDOWN Hash slot not served'))
          : redis.get(key),
      );
    await call('/packages', authorization).expect(200);
    await redis.set(redisKeys.deactivated(gateway.config.NAMESPACE, 9), 'ended', 'EX', 60);
    await call('/packages', authorization).expect(401);
    const staff = await gateway.tokens.authorization({ id: 0, scope: 'staff', clientId });
    expect((await call('/staff/queue', staff)).status).toBe(503);
    away.mockRestore();
  });

  it('requires the scope on staff routes', async () => {
    const member = await call('/staff/queue', await gateway.tokens.authorization({ id: 5 }));
    expect([member.status, member.body]).toEqual([403, { fail: 'Forbidden' }]);
    const staff = await call('/staff/queue', await gateway.tokens.authorization({ id: 0, scope: 'staff' }));
    expect(staff.status).toBe(200);
  });

  it('admits public routes with or without a token', async () => {
    expect((await call('/jwks')).status).toBe(200);
    expect((await call('/jwks', 'Bearer whatever')).status).toBe(200);
  });

  it('refuses a deactivated member as soon as the flag is set, and nobody else', async () => {
    const authorization = await gateway.tokens.authorization({ id: 2 });
    await call('/packages', authorization).expect(200);
    await redis.set(redisKeys.deactivated(gateway.config.NAMESPACE, 2), '1', 'EX', 60);
    const { headers } = await call('/packages', authorization).expect(403, { fail: 'Deactivated' });
    expect(headers['x-request-id']).toBeDefined();
    const { memberStates } = gateway.context;
    const admission = () => memberStates.admissionOf({ id: 2, clientId: 'test' }, 0);
    await until('the flag is in memory', async () => {
      await admission();
      return admission() === 'deactivated';
    });
    await call('/packages', authorization).expect(403, { fail: 'Deactivated' });
    await call('/packages', await gateway.tokens.authorization({ id: 3 })).expect(200);
    await redis.del(redisKeys.deactivated(gateway.config.NAMESPACE, 2));
    await call('/packages', authorization).expect(200);
  });

  it('refuses ended tokens with 401, and only earlier ones if the member may sign in again', async () => {
    const authorization = await gateway.tokens.authorization({ id: 6 });
    const key = redisKeys.deactivated(gateway.config.NAMESPACE, 6);
    const second = Math.floor(Date.now() / 1000);
    for (const flag of ['ended', `ended:${second + 60}`, 'no known form']) {
      await redis.set(key, flag, 'EX', 60);
      const { headers } = await call('/packages', authorization).expect(401);
      expect(headers['www-authenticate']).toContain('error="invalid_token"');
    }
    await redis.set(key, `ended:${second - 60}`, 'EX', 60);
    await call('/packages', authorization).expect(200);
  });

  it('records at intervals when a member was last seen', async () => {
    const authorization = await gateway.tokens.authorization({ id: 44 });
    const score = () => redis.zscore(redisKeys.seen(gateway.config.NAMESPACE), '44');
    await call('/packages', authorization).expect(200);
    await until('seen', async () => (await score()) === String(now));
    const first = now;
    now += 1_000;
    await call('/packages', authorization).expect(200);
    await call('/packages', await gateway.tokens.authorization({ id: 45 })).expect(200);
    await until('the next one', () => redis.zscore(redisKeys.seen(gateway.config.NAMESPACE), '45'));
    expect(await score()).toBe(String(first));
  });
});

describe('admission while Redis is down', () => {
  let gateway: ServiceUnderTest;
  beforeAll(async () => {
    gateway = await startService('admission', {
      environment: { REDIS_URL: 'redis://127.0.0.1:1', RATE_PER_ADDRESS: '5', RATE_WINDOW_SECONDS: '600' },
    });
  });
  afterAll(() => gateway.close());

  it('continues for members and refuses staff, counts for itself and stays ready', async () => {
    const authorization = await gateway.tokens.authorization({ id: 1 });
    for (let index = 0; index < 4; index += 1) {
      await request(gateway.url).get('/packages').set('Authorization', authorization).expect(200);
    }
    const staff = await gateway.tokens.authorization({ id: 0, scope: 'staff' });
    await request(gateway.url).get('/staff/memberships/1').set('Authorization', staff).expect(503);
    const { headers } = await request(gateway.url).get('/packages').expect(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(await gateway.context.health.report()).toMatchObject({ ready: true, checks: { redis: 'down' } });
  });
});

describe('admission while Redis hangs', () => {
  it('continues after the time limit of Redis', async () => {
    const proxy = await createTcpProxy(testStores().REDIS_URL);
    const gateway = await startService('admission', {
      environment: { REDIS_URL: proxy.url, REDIS_TIMEOUT_MS: '50' },
    });
    const authorization = await gateway.tokens.authorization({ id: 1 });
    const ask = async () =>
      (await request(gateway.url).get('/packages').set('Authorization', authorization)).status;
    const redis = new Redis(testStores().REDIS_URL);
    let asked = 0;
    await until('the gateway is connected', async () => {
      asked += 1;
      await gateway.context.limits.address(`warm-up-${asked}`);
      return redis.exists(`${gateway.config.NAMESPACE}:limit:address:warm-up-${asked}`);
    });
    redis.disconnect();
    proxy.slow(60_000);
    expect(await Promise.all([ask(), ask(), ask()])).toEqual([200, 200, 200]);
    await gateway.close();
    await proxy.close();
  });
});
