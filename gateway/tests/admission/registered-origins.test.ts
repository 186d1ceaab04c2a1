import { afterEach, describe, expect, it } from '@jest/globals';
import { redisKeys } from '@covalence/contract/redis-keys';
import { testNamespace, testStores } from '@covalence/testing/test-stores';
import { until } from '@covalence/testing/until';
import { Redis } from 'ioredis';
import request from 'supertest';
import { startService, type ServiceUnderTest } from '../harness.ts';

let gateway: ServiceUnderTest | undefined;
afterEach(() => gateway?.close());

/** A gateway that admits only the pages of public clients, which are these. */
async function startWith(origins: readonly string[]): Promise<ServiceUnderTest> {
  gateway = await startService('registered-origins', { environment: { CORS_ORIGINS: 'registered' } });
  await register(gateway, JSON.stringify(origins));
  return gateway;
}

async function store(namespace: string, text: string): Promise<void> {
  const redis = new Redis(testStores().REDIS_URL);
  await redis.set(redisKeys.origins(namespace), text);
  redis.disconnect();
}

async function register({ context }: ServiceUnderTest, text: string): Promise<void> {
  await store(context.config.NAMESPACE, text);
  await context.origins.refresh();
}

const allowed = async ({ url }: ServiceUnderTest, Origin: string): Promise<unknown> => {
  const { headers } = await request(url).get('/jwks').set({ Origin });
  return headers['access-control-allow-origin'];
};

describe('the origins of public clients', () => {
  it('may read answers and send what a page sends', async () => {
    const started = await startWith(['https://app.example', 'http://127.0.0.1']);
    for (const origin of ['https://app.example', 'http://127.0.0.1', 'http://127.0.0.1:5173'])
      expect(await allowed(started, origin)).toBe(origin);
    const { headers } = await request(started.url)
      .options('/token')
      .set({ Origin: 'https://app.example', 'Access-Control-Request-Method': 'POST' });
    expect(headers['access-control-allow-methods']).toContain('POST');
  });

  it.each([
    'https://evil.example',
    'https://app.example.evil.example',
    'https://app.example:8443',
    'http://app.example',
    'http://127.0.0.1.evil.example:5173',
    'http://127.0.0.1:5173/evil',
    'http://localhost:5173',
    'https://127.0.0.1:5173',
    'null',
  ])('are no others: %s', async (origin) => {
    expect(
      await allowed(await startWith(['https://app.example', 'http://127.0.0.1']), origin),
    ).toBeUndefined();
  });

  it('are known as soon as a started gateway has its connection to Redis', async () => {
    const NAMESPACE = testNamespace('origins');
    await store(NAMESPACE, JSON.stringify(['https://app.example']));
    const own = { CORS_ORIGINS: 'registered', NAMESPACE, REDIS_URL: testStores().REDIS_URL };
    const started = (gateway = await startService('registered-origins', { environment: own }));
    const first = await until('the first origins', () => allowed(started, 'https://app.example'), 2_000);
    expect(first).toBe('https://app.example');
  });

  it('follow a change, and stay when Redis has lost them', async () => {
    const started = await startWith(['https://app.example']);
    await register(started, JSON.stringify(['https://new.example']));
    expect(await allowed(started, 'https://app.example')).toBeUndefined();
    const redis = new Redis(testStores().REDIS_URL);
    await redis.del(redisKeys.origins(started.config.NAMESPACE));
    redis.disconnect();
    await started.context.origins.refresh();
    expect(await allowed(started, 'https://new.example')).toBe('https://new.example');
  });
});
