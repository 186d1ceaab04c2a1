import { createDeviceKey, type DeviceKey, type TestProof } from '@covalence/testing/device-key';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { redisKeys } from '@covalence/contract/redis-keys';
import { testStores } from '@covalence/testing/test-stores';
import { Redis } from 'ioredis';
import request from 'supertest';
import { startService, type ServiceUnderTest } from '../harness.ts';

const now = () => Math.floor(Date.now() / 1000);
const htu = 'http://api.test/users/1002';

describe('a token that is bound to a key (DPoP)', () => {
  let gateway: ServiceUnderTest;
  let key: DeviceKey;
  let authorization: string;
  let token: string;
  beforeAll(async () => {
    gateway = await startService('dpop', { environment: { AUTH_PUBLIC_URL: 'http://auth.test' } });
    key = await createDeviceKey();
    authorization = await gateway.tokens.authorization({ id: 1, key: key.thumbprint });
    token = authorization.replace('DPoP ', '');
  });
  afterAll(() => gateway.close());

  const call = (proof: string, sent = authorization, path = '/users/1002?locale=de_DE') =>
    request(gateway.url).get(path).set('Authorization', sent).set('DPoP', proof);
  const proofOf = (changes: Partial<TestProof> = {}) => key.prove({ htm: 'GET', htu, token, ...changes });

  it('is admitted with a proof of the call, and reaches the service with its scheme', async () => {
    const { body } = await call(await proofOf()).expect(200);
    expect(body.headers.authorization).toBe(authorization);
    await call(await proofOf({ htu: 'HTTP://API.test:80/users/1002/?a=1#b' })).expect(200);
    const out = await key.prove({ htm: 'POST', htu: 'http://auth.test/session/everywhere', token });
    await request(gateway.url)
      .post('/session/everywhere')
      .set('Authorization', authorization)
      .set('DPoP', out)
      .expect(200);
  });

  it.each<[string, () => Partial<TestProof>]>([
    ['another method', () => ({ htm: 'POST' })],
    ['another path', () => ({ htu: 'http://api.test/users/1003' })],
    ['another host', () => ({ htu: 'http://evil.test/users/1002' })],
    ['another token', () => ({ token: `${token}x` })],
    ['no token', () => ({ ath: '' })],
    ['long ago', () => ({ iat: now() - 310 })],
    ['the future', () => ({ iat: now() + 310 })],
    ['another purpose', () => ({ typ: 'at+jwt' })],
  ])('is refused with a proof of %s', async (_what, changes) => {
    const before = gateway.service.requests.length;
    const { headers } = await call(await proofOf(changes())).expect(401);
    expect(headers['www-authenticate']).toMatch(/^DPoP .*error="invalid_dpop_proof".*algs="ES256/);
    expect(gateway.service.requests).toHaveLength(before);
  });

  it('is refused with a proof of another key, a repeated one, two at once, and none', async () => {
    const thief = await createDeviceKey();
    const proof = await proofOf();
    const calls = [
      call(await thief.prove({ htm: 'GET', htu, token })),
      call(proof),
      call(proof),
      call(`${await proofOf()}, ${await proofOf()}`),
      request(gateway.url).get('/users/1002').set('Authorization', authorization),
    ];
    const statuses: number[] = [];
    for (const one of calls) statuses.push((await one).status);
    expect(statuses).toEqual([401, 200, 401, 401, 401]);
  });

  it('stores no proof of a call that is refused otherwise', async () => {
    const limited = await startService('dpop', { environment: { RATE_PER_MEMBER: '1' } });
    const own = await limited.tokens.authorization({ id: 1, key: key.thumbprint });
    const url = 'http://api.test/users/1002';
    const statuses: number[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      const proof = await key.prove({ htm: 'GET', htu: url, token: own.replace('DPoP ', '') });
      const asked = request(limited.url).get('/users/1002').set('Authorization', own);
      statuses.push((await asked.set('DPoP', proof)).status);
    }
    const redis = new Redis(testStores().REDIS_URL);
    const stored = await redis.keys(redisKeys.proof(limited.config.NAMESPACE, '*'));
    redis.disconnect();
    await limited.close();
    expect([statuses, stored.length]).toEqual([[200, 429, 429], 1]);
  });

  it('is no bearer token, and a bearer token is not bound', async () => {
    const { headers } = await call(await proofOf(), `Bearer ${token}`).expect(401);
    expect(headers['www-authenticate']).toMatch(/^Bearer .*error="invalid_token"/);
    const plain = await gateway.tokens.authorization({ id: 1 });
    await call(await proofOf(), plain).expect(200);
    await call(await proofOf(), plain.replace('Bearer', 'DPoP')).expect(401);
  });

  it('works in pages of other origins', async () => {
    const asked = request(gateway.url).options('/users/1002').set('Origin', 'https://app.example');
    const { headers } = await asked.set('Access-Control-Request-Method', 'GET').expect(204);
    expect(headers['access-control-allow-headers']).toContain('DPoP');
    expect(headers['access-control-expose-headers']).toContain('DPoP-Nonce');
  });
});
