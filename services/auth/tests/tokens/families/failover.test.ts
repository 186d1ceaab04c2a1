import { startRedisGroup, type RedisGroup } from '@covalence/testing/redis-group';
import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { followFailovers } from '../../../src/background.ts';
import { startService, type ServiceUnderTest } from '../../harness.ts';
import { admissionOfPair, keysOf, type Pair } from '../../support/issued-pair.ts';

const failoverMs = 40_000;

describe('with a cluster of Redis, of which a server dies that alone had the last writes', () => {
  let group: RedisGroup;
  let auth: ServiceUnderTest;
  const stopping = new AbortController();
  beforeAll(async () => {
    group = await startRedisGroup('cluster');
    auth = await startService('failover', { environment: { REDIS_URL: group.url } });
    followFailovers(auth.context, stopping.signal);
  });
  afterAll(async () => {
    stopping.abort();
    await auth?.close();
    await group?.stop();
  });

  const admission = (pair: Pair) => admissionOfPair(auth, pair);
  const exchange = (code: string) => auth.token({ ...auth.client, grant_type: 'authorization_code', code });
  const refresh = ({ refresh_token }: Pair) =>
    auth.token({ ...auth.client, grant_type: 'refresh_token', refresh_token });
  const signIn = async () => {
    const member = await auth.addMember();
    const code = (await auth.browser().signIn(auth.client, member)).searchParams.get('code') ?? '';
    return { code, pair: (await exchange(code).expect(200)).body as Pair };
  };
  const revoke = ({ refresh_token }: Pair) => {
    const { client_id, client_secret } = auth.client;
    return request(auth.server)
      .post('/revoke')
      .type('form')
      .send({ client_id, client_secret, token: refresh_token })
      .expect(200);
  };

  it('revokes the tokens of an ended sign-in again, and still knows used codes and refresh tokens', async () => {
    const { code, pair } = await signIn();
    const { pair: rotated } = await signIn();
    const next = (await refresh(rotated).expect(200)).body as Pair;
    await refresh(next).expect(200);
    const [, ofFamily = ''] = keysOf(auth, pair);
    await group.failOver(ofFamily, async () => {
      await revoke(pair);
      expect(await admission(pair)).toBe('ended');
    });
    // Sooner than the periodic job, which does not run here.
    await until('the flag', async () => (await admission(pair).catch(() => '')) === 'ended', failoverMs);
    await refresh(pair).expect(400);
    await refresh(rotated).expect(400);
    await until('the codes', async () => (await exchange(code)).status === 400, failoverMs);
    expect((await signIn()).pair.access_token).toBeTruthy();
  });
});
