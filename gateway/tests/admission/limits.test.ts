import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Redis } from 'ioredis';
import request from 'supertest';
import { testNamespace, testStores } from '@covalence/testing/test-stores';
import { until } from '@covalence/testing/until';
import { createTestTokens } from '@covalence/testing/test-tokens';
import { createLimits } from '../../src/admission/limits.ts';
import { startService, type ServiceOptions, type ServiceUnderTest } from '../harness.ts';

const statuses = async (url: string, path: string, count: number, headers: Record<string, string> = {}) => {
  const found: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const { status } = await request(url).get(path).set(headers);
    found.push(status);
  }
  return found;
};

const via = (address: string) => ({ 'X-Forwarded-For': address });

describe('rate limits', () => {
  const gateways: ServiceUnderTest[] = [];
  afterEach(async () => {
    await Promise.all(gateways.splice(0).map((gateway) => gateway.close()));
  });

  const start = async (settings: ServiceOptions) => {
    const gateway = await startService('limits', {
      ...settings,
      environment: { RATE_WINDOW_SECONDS: '600', ...settings.environment },
    });
    gateways.push(gateway);
    return gateway;
  };

  it('count an address across all gateways, including unknown paths', async () => {
    const environment = { RATE_PER_ADDRESS: '6', NAMESPACE: testNamespace('limits') };
    const one = await start({ environment });
    const two = await start({ environment });
    expect(await statuses(one.url, '/jwks', 3)).toEqual([200, 200, 200]);
    expect(await statuses(two.url, '/nothing', 4)).toEqual([404, 404, 404, 429]);
    const { body, headers } = await request(one.url).get('/jwks').expect(429);
    expect(body).toEqual({ fail: 'Too Many Requests' });
    expect(Number(headers['retry-after'])).toBeGreaterThan(500);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(600);
    expect(headers['x-request-id']).toBeDefined();
  });

  it('count a member without affecting others of the same address', async () => {
    const tokens = await createTestTokens();
    const gateway = await start({ environment: { RATE_PER_MEMBER: '2' }, tokens });
    const memberId = '0190a3c4-0000-7000-8000-000000000001';
    const first = { Authorization: await tokens.authorization({ id: 1, memberId }) };
    const renewed = { Authorization: await tokens.authorization({ id: 1, memberId, lifetime: 900 }) };
    const other = { Authorization: await tokens.authorization({ id: 2 }) };
    expect(await statuses(gateway.url, '/packages', 2, first)).toEqual([200, 200]);
    expect(await statuses(gateway.url, '/packages', 1, renewed)).toEqual([429]);
    expect(await statuses(gateway.url, '/packages', 1, other)).toEqual([200]);
  });

  it('count the address that a trusted proxy saw, not what clients claim', async () => {
    const behind = await start({ environment: { RATE_PER_ADDRESS: '1', TRUSTED_PROXIES: '1' } });
    expect(await statuses(behind.url, '/jwks', 1, via('203.0.113.1'))).toEqual([200]);
    expect(await statuses(behind.url, '/jwks', 1, via('203.0.113.2'))).toEqual([200]);
    expect(await statuses(behind.url, '/jwks', 1, via('198.51.100.9, 203.0.113.2'))).toEqual([429]);

    const open = await start({ environment: { RATE_PER_ADDRESS: '1' } });
    expect(await statuses(open.url, '/jwks', 1, via('203.0.113.1'))).toEqual([200]);
    expect(await statuses(open.url, '/jwks', 1, via('203.0.113.2'))).toEqual([429]);
  });

  it('accept 200 requests a second from one address and member by default', async () => {
    const gateway = await start({ environment: { RATE_WINDOW_SECONDS: '10' } });
    const { RATE_WINDOW_SECONDS: window, RATE_PER_ADDRESS, RATE_PER_MEMBER } = gateway.config;
    expect(RATE_PER_ADDRESS / window).toBeGreaterThanOrEqual(200);
    expect(RATE_PER_MEMBER / window).toBeGreaterThanOrEqual(200);
    const authorization = await gateway.tokens.authorization({ id: 1 });
    const answers = await Promise.all(
      Array.from({ length: 200 }, () =>
        request(gateway.url).get('/packages').set('Authorization', authorization),
      ),
    );
    expect(answers.every(({ status }) => status === 200)).toBe(true);
  });
});

const letIn = async (counted: Promise<void>[]) =>
  (await Promise.allSettled(counted)).filter(({ status }) => status === 'fulfilled').length;

describe('shares of a limit', () => {
  let redis: Redis;
  beforeAll(() => {
    redis = new Redis(testStores().REDIS_URL);
  });
  afterAll(() => redis.disconnect());

  const counting = (namespace: string, perAddress: number, { windowSeconds = 600, refusalMs = 0 } = {}) =>
    createLimits({ redis, namespace, windowSeconds, perAddress, perMember: 1, refusalMs }).address;
  const limits = (...settings: Parameters<typeof counting>) => {
    const count = counting(...settings);
    return async (key: string): Promise<void> => count(key);
  };

  it('are a hundredth, counted at once, also for requests that come together', async () => {
    const namespace = testNamespace('shares');
    const count = limits(namespace, 400);
    const counted = async () => Number(await redis.get(`${namespace}:limit:address:a`));
    await Promise.all([count('a'), count('a'), count('a'), count('a')]);
    expect(await counted()).toBe(4);
    await count('a');
    expect(await counted()).toBe(8);
  });

  it('let in at once, without a promise, what is left of them', async () => {
    const count = counting(testNamespace('shares'), 400);
    await count('a');
    expect([count('a'), count('a'), count('a')]).toEqual([undefined, undefined, undefined]);
    // The next one asks for another share.
    expect(count('a')).toBeInstanceOf(Promise);
  });

  it('never add up to more than the limit, and leave nothing of it unused where all are asked', async () => {
    const namespace = testNamespace('shares');
    // Its last shares are due after 2 s.
    const gateways = Array.from({ length: 3 }, () => limits(namespace, 230, { windowSeconds: 60 }));
    const asked = Array.from({ length: 300 }, (_one, index) => gateways[index % 3]?.('a'));
    expect(await letIn(asked.flatMap((one) => one ?? []))).toBe(230);
    expect(await letIn(gateways.map((count) => count('b')))).toBe(3);
  });

  it('end with their window', async () => {
    const namespace = testNamespace('shares');
    const count = limits(namespace, 1, { windowSeconds: 1 });
    const refused = async () => (await letIn([count('a')])) === 0;
    await until('used up', refused);
    expect(await until('the next window', async () => !(await refused()))).toBe(true);
  });

  it('end with their window where the clock is set back meanwhile', async () => {
    const count = limits(testNamespace('shares'), 1, { windowSeconds: 1 });
    const refused = async () => (await letIn([count('a')])) === 0;
    await until('used up', refused);
    const hourAgo = Date.now() - 3_600_000;
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => hourAgo);
    const next = until('the next window', async () => !(await refused()), 5_000);
    await expect(next.finally(() => clock.mockRestore())).resolves.toBe(true);
  });

  it('queue for a client that takes many at once, and come at once to everybody else', async () => {
    const count = limits(testNamespace('shares'), 10_000, { windowSeconds: 36_000 });
    let came = 0;
    const asked = Array.from({ length: 300 }, () => count('a').then(() => (came += 1)));
    await until('as many as may come at once', () => came === 200);
    // The third share is due in a minute and a half; what others ask for meanwhile is there.
    await count('b');
    expect(came).toBe(200);
    void Promise.allSettled(asked);
  });

  it('hold up no first request, however large the limit', async () => {
    const count = limits(testNamespace('shares'), 100_000, { windowSeconds: 86_400 });
    await expect(Promise.all([count('a'), count('a')])).resolves.toHaveLength(2);
  });

  it('are all let in once it is their time', async () => {
    const count = limits(testNamespace('shares'), 1_000, { windowSeconds: 2 });
    expect(await letIn(Array.from({ length: 700 }, () => count('a')))).toBe(700);
  });

  it('delay the refused client, and nobody else', async () => {
    const count = limits(testNamespace('shares'), 1, { refusalMs: 600_000 });
    await count('a');
    const refused = count('a').catch(() => 'refused');
    expect(await Promise.race([refused, count('b').then(() => 'let in')])).toBe('let in');
    // The refusal needs nobody's answer: it would be there by now if it did not wait.
    expect(await Promise.race([refused, count('c').then(() => 'let in')])).toBe('let in');
  });
});
