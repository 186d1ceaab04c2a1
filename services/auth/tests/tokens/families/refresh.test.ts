import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { flagsAreComplete, flagText } from '@covalence/contract/admission-flag';
import { redisKeys } from '@covalence/contract/redis-keys';
import { decodeJwt, SignJWT } from 'jose';
import request from 'supertest';
import { startService, type ServiceUnderTest } from '../../harness.ts';
import type { TestMember } from '../../support/people.ts';

interface Pair {
  access_token: string;
  refresh_token: string;
  expires_in: number;
}

describe('refresh', () => {
  let auth: ServiceUnderTest;
  let member: TestMember;
  beforeAll(async () => {
    auth = await startService('refresh');
    member = await auth.addMember();
  });
  afterAll(() => auth.close());

  const refresh = (refresh_token: string, client = auth.client) =>
    auth.token({
      client_id: client.client_id,
      client_secret: client.client_secret,
      grant_type: 'refresh_token',
      refresh_token,
    });
  const codeOf = async (who = member) =>
    (await auth.browser().signIn(auth.client, who)).searchParams.get('code') ?? '';
  const exchange = (code: string) => auth.token({ ...auth.client, grant_type: 'authorization_code', code });
  const signIn = async (who = member) => (await exchange(await codeOf(who)).expect(200)).body as Pair;
  const good = async (token: string, client = auth.client) =>
    (await refresh(token, client).expect(200)).body as Pair;
  const error = async (token: string, client = auth.client) =>
    ((await refresh(token, client).expect(400)).body as { error: string }).error;

  it('returns a new pair, which can be refreshed again', async () => {
    const first = await signIn();
    const second = await good(first.refresh_token);
    const third = await good(second.refresh_token);
    expect(new Set([first, second, third].map((pair) => pair.refresh_token)).size).toBe(3);
    expect(Object.keys(third).toSorted()).toEqual([
      'access_token',
      'expires_in',
      'refresh_token',
      'token_type',
    ]);
    expect(decodeJwt(third.access_token)).toMatchObject({ sub: member.member_id, scope: 'member' });
  });

  it('rejects a token issued after the restored backup: the member signs in again', async () => {
    const families = auth.context.connection.collection<{ _id: string }>('families');
    const first = await signIn();
    const _id = String(decodeJwt(first.access_token)['family']);
    const backup = await families.findOne({ _id });
    if (!backup) throw new Error('no family');
    const second = await good(first.refresh_token);
    await families.replaceOne({ _id }, backup);
    expect(await error(second.refresh_token)).toBe('invalid_grant');
    expect(await error(first.refresh_token)).toBe('invalid_grant');
  });

  it('accepts JSON, and an expired access token in the Authorization header', async () => {
    const first = await signIn();
    const { client_id, client_secret } = auth.client;
    const answer = await request(auth.server)
      .post('/token')
      .set('Authorization', `Bearer ${first.access_token}`)
      .send({ client_id, client_secret, grant_type: 'refresh_token', refresh_token: first.refresh_token });
    expect(answer.status).toBe(200);
  });

  it('returns the same pair after a lost response, until that pair is refreshed', async () => {
    const first = await signIn();
    const second = await refresh(first.refresh_token).expect(200);
    const again = await refresh(first.refresh_token).expect(200);
    expect(again.body).toEqual(second.body);
    await auth.later(9_000, async () => {
      expect((await refresh(first.refresh_token).expect(200)).body).toEqual(second.body);
    });
    const third = (await refresh((second.body as Pair).refresh_token).expect(200)).body as Pair;
    expect(await error(first.refresh_token)).toBe('invalid_grant');
    // The reuse has revoked the whole family.
    expect(await error(third.refresh_token)).toBe('invalid_grant');
  });

  it('returns the same pair when the client authenticates in another way', async () => {
    const first = await signIn();
    const { client_id, client_secret } = auth.client;
    const basic = await request(auth.server)
      .post('/token')
      .auth(client_id, client_secret)
      .type('form')
      .send({ grant_type: 'refresh_token', refresh_token: first.refresh_token })
      .expect(200);
    expect(await good(first.refresh_token)).toEqual(basic.body);
  });

  it('revokes the family when a used token is reused after the grace of 10 seconds', async () => {
    const first = await signIn();
    const second = await good(first.refresh_token);
    expect(await auth.later(11_000, () => error(first.refresh_token))).toBe('invalid_grant');
    expect(await error(second.refresh_token)).toBe('invalid_grant');
  });

  it('does not revoke the family of another sign-in', async () => {
    const [phone, tablet] = [await signIn(), await signIn()];
    await refresh(phone.refresh_token).expect(200);
    expect(await auth.later(11_000, () => error(phone.refresh_token))).toBe('invalid_grant');
    expect(await good(tablet.refresh_token)).toHaveProperty('access_token');
  });

  it('returns one pair to concurrent refreshes', async () => {
    const first = await signIn();
    const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(first.refresh_token)));
    expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect(new Set(answers.map((answer) => (answer.body as Pair).refresh_token)).size).toBe(1);
    expect(new Set(answers.map((answer) => (answer.body as Pair).access_token)).size).toBe(1);
    const [winner] = answers.map((answer) => answer.body as Pair);
    expect(await good(winner?.refresh_token ?? '')).toHaveProperty('access_token');
  });

  it('stores a rotation and its response atomically: after a failure the token stays valid', async () => {
    const first = await signIn();
    const { families } = auth.context.tokens;
    const original = { ...families };
    families.rotate = () => Promise.reject(new Error('connection refused'));
    const failed = await refresh(first.refresh_token);
    Object.assign(families, original);
    expect(failed.status).toBe(500);
    expect(failed.body).toMatchObject({ error: 'server_error', fail: 'Internal Server Error' });
    const second = await good(first.refresh_token);
    expect(await good(second.refresh_token)).toHaveProperty('access_token');
  });

  it('issues nothing for a family that is revoked during the refresh', async () => {
    const { families } = auth.context.tokens;
    const original = { ...families };
    const [code, first] = [await codeOf(), await signIn()];
    families.issue = async (id, tokens) => {
      await families.revoke(id, new Date());
      return original.issue(id, tokens);
    };
    families.rotate = async (rotation) => {
      await families.revoke(rotation.family, new Date());
      return original.rotate(rotation);
    };
    try {
      expect((await exchange(code).expect(400)).body).toMatchObject({ error: 'invalid_grant' });
      expect(await error(first.refresh_token)).toBe('invalid_grant');
    } finally {
      Object.assign(families, original);
    }
    expect(await error(first.refresh_token)).toBe('invalid_grant');
  });

  it('revokes the family when a token older than the previous one is reused', async () => {
    const first = await signIn();
    const second = await good(first.refresh_token);
    const third = await good(second.refresh_token);
    expect(await error(first.refresh_token)).toBe('invalid_grant');
    expect(await error(third.refresh_token)).toBe('invalid_grant');
    // Not even the answer that would still be given within the grace.
    expect(await error(second.refresh_token)).toBe('invalid_grant');
  });

  it('accepts only refresh tokens of the same client, and no bare ids', async () => {
    const other = await auth.createClient();
    const first = await signIn();
    const used = await signIn();
    await refresh(used.refresh_token).expect(200);
    for (const token of [first.refresh_token, used.refresh_token]) {
      const answer = await refresh(token, other).expect(400);
      expect(answer.body).toMatchObject({ error: 'invalid_grant' });
    }
    expect(await error(first.access_token)).toBe('invalid_grant');
    expect(await error(decodeJwt(first.refresh_token).jti ?? '')).toBe('invalid_grant');
    await refresh(first.refresh_token).expect(200);
  });

  it('revokes the tokens of a reused code, and accepts one of two concurrent uses', async () => {
    const code = await codeOf();
    const pair = (await exchange(code).expect(200)).body as Pair;
    expect((await exchange(code).expect(400)).body).toMatchObject({ error: 'invalid_grant' });
    expect(await error(pair.refresh_token)).toBe('invalid_grant');
    const raced = await codeOf();
    const answers = await Promise.all(Array.from({ length: 5 }, () => exchange(raced)));
    const given = answers.filter((answer) => answer.status === 200).map((answer) => answer.body as Pair);
    expect(given.length).toBeLessThanOrEqual(1);
    for (const pair of given) expect(await error(pair.refresh_token)).toBe('invalid_grant');
  });

  it('issues no tokens to deactivated or suspended members', async () => {
    const sleeper = await auth.addMember();
    const pair = await signIn(sleeper);
    const state = auth.profile.members.get(sleeper.member_id);
    if (state) state.deactivated = true;
    const refused = await refresh(pair.refresh_token).expect(400);
    expect(refused.body).toMatchObject({ error: 'invalid_grant', fail: 'Invalid Grant' });
    if (state) Object.assign(state, { deactivated: false, suspended: true });
    expect(await error(pair.refresh_token)).toBe('invalid_grant');
    if (state) state.suspended = false;
    await refresh(pair.refresh_token).expect(200);
  });

  const key = (kind: 'flagsComplete' | 'deactivated', id = 0) =>
    redisKeys[kind](auth.context.config.NAMESPACE, id);
  const vouch = () => auth.context.redis.set(key('flagsComplete'), flagsAreComplete, 'EX', 60);
  const asked = async (token: string): Promise<[number, boolean]> => {
    const before = auth.profile.asked;
    const { status } = await refresh(token);
    return [status, auth.profile.asked > before];
  };

  describe("asks profile for the member's state unless Redis knows it", () => {
    it('not while the flags are complete and the last check is at most a day old', async () => {
      const who = await auth.addMember();
      const pair = await signIn(who);
      await vouch();
      const second = await good(pair.refresh_token);
      expect(await asked(second.refresh_token)).toEqual([200, false]);
      await auth.later(25 * 3_600_000, async () => {
        const other = await signIn(who);
        expect(await asked(other.refresh_token)).toEqual([200, false]);
      });
      await auth.context.redis.del(key('flagsComplete'));
    });

    it('after more than a day', async () => {
      const who = await auth.addMember();
      const pair = await signIn(who);
      await vouch();
      await auth.later(25 * 3_600_000, async () => {
        expect(await asked(pair.refresh_token)).toEqual([200, true]);
      });
      await auth.context.redis.del(key('flagsComplete'));
    });

    it('when Redis has lost its data, including the flag of a deactivated member', async () => {
      const who = await auth.addMember();
      const pair = await signIn(who);
      await vouch();
      const state = auth.profile.members.get(who.member_id);
      if (state) state.deactivated = true;
      await auth.context.redis.set(key('deactivated', who.id), flagText('deactivated'), 'EX', 60);
      expect(await asked(pair.refresh_token)).toEqual([400, false]);
      await auth.context.redis.del(key('flagsComplete'), key('deactivated', who.id));
      expect(await asked(pair.refresh_token)).toEqual([400, true]);
      // While profile sets the flags anew nothing is relied on either.
      await auth.context.redis.set(key('flagsComplete'), 'begun', 'EX', 60);
      expect(await asked(pair.refresh_token)).toEqual([400, true]);
      await auth.context.redis.del(key('flagsComplete'));
    });
  });

  it('answers 503 while profile is down, and the same token works afterwards', async () => {
    const pair = await signIn();
    auth.profile.away = true;
    const away = await refresh(pair.refresh_token);
    auth.profile.away = false;
    expect(away.status).toBe(503);
    expect(away.body).toMatchObject({ error: 'temporarily_unavailable', fail: 'Service Unavailable' });
    await refresh(pair.refresh_token).expect(200);
  });

  it('revokes the whole family by RFC 7009, even with a used token, for its own client only', async () => {
    const other = await auth.createClient();
    const { client_id, client_secret } = auth.client;
    const revoke = (token: string, client = { client_id, client_secret }) =>
      request(auth.server)
        .post('/revoke')
        .type('form')
        .send({ client_id: client.client_id, client_secret: client.client_secret, token });
    const first = await signIn();
    const second = await good(first.refresh_token);
    await revoke(second.refresh_token, other).expect(400);
    const { signing } = await auth.context.keys.ring.current();
    const ofAnother = await new SignJWT(decodeJwt(second.refresh_token))
      .setProtectedHeader({ alg: 'ES256', typ: 'refresh+jwt', kid: 'gone' })
      .sign(signing.privateKey);
    for (const none of ['unknown', ofAnother]) await revoke(none).expect(200);
    expect((await revoke(second.access_token).expect(400)).body).toMatchObject({
      error: 'unsupported_token_type',
    });
    await revoke(second.refresh_token, { client_id, client_secret: 'wrong' }).expect(401);
    await revoke(first.refresh_token).expect(200);
    expect(await error(second.refresh_token)).toBe('invalid_grant');
    await revoke(second.refresh_token).expect(200);
  });

  it('extends the family with each rotation', async () => {
    const pair = await signIn();
    const families = auth.context.connection.collection<{ _id: string; expires_at: Date }>('families');
    const { family: _id } = decodeJwt<{ family: string }>(pair.refresh_token);
    await families.updateOne({ _id }, { $set: { expires_at: new Date(Date.now() + 1000) } });
    await refresh(pair.refresh_token).expect(200);
    const end = (await families.findOne({ _id }))?.expires_at ?? new Date(0);
    expect(end.getTime() - Date.now()).toBeGreaterThan(14 * 86_400_000);
  });

  it('makes two database calls, and none to profile while Redis knows the member as active', async () => {
    const pair = await signIn();
    const key = redisKeys.flagsComplete(auth.context.config.NAMESPACE);
    await auth.context.redis.set(key, flagsAreComplete, 'EX', 60);
    const calls: string[] = [];
    auth.context.connection.set('debug', (collection: string, method: string) => {
      calls.push(`${collection}.${method}`);
    });
    auth.profile.away = true;
    const answer = await refresh(pair.refresh_token);
    auth.profile.away = false;
    auth.context.connection.set('debug', false);
    await auth.context.redis.del(key);
    expect(answer.status).toBe(200);
    expect(calls).toEqual(['families.findOne', 'families.updateOne']);
  });
});
