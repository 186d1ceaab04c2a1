import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@covalence/runtime/logger';
import { mongoReady } from '@covalence/runtime/mongo';
import { decodeProtectedHeader } from 'jose';
import request from 'supertest';
import { startService, type ServiceUnderTest } from '../harness.ts';
import { createApp } from '../../src/app.ts';
import { createContext } from '../../src/context.ts';
import { createKeyRing } from '../../src/keys/key-ring.ts';
import { createKeyStore } from '../../src/keys/key-store.ts';
import { createSeal } from '../../src/keys/seal.ts';

describe('signing keys', () => {
  let auth: ServiceUnderTest;
  beforeAll(async () => {
    auth = await startService('keys');
  });
  afterAll(() => auth.close());

  const kids = async () => {
    const answer = await request(auth.server).get('/jwks').expect(200);
    return (answer.body as { keys: { kid: string }[] }).keys.map((key) => key.kid);
  };
  const minute = 60_000;

  it('rotates without signing anyone out', async () => {
    const member = await auth.addMember();
    const end = await auth.browser().signIn(auth.client, member);
    const code = end.searchParams.get('code') ?? '';
    const first = await auth.token({ ...auth.client, grant_type: 'authorization_code', code }).expect(200);
    const before = await kids();
    expect(before).toHaveLength(1);

    const { kid } = (await auth.internal('/internal/keys/rotate', {}).expect(200)).body as { kid: string };
    // Shown at once, signing only when everyone has had time to see it.
    expect(await kids()).toEqual([before[0], kid]);
    const refresh = async (token: string) => {
      const form = { ...auth.client, grant_type: 'refresh_token', refresh_token: token };
      return (await auth.token(form).expect(200)).body as { access_token: string; refresh_token: string };
    };
    const early = await refresh((first.body as { refresh_token: string }).refresh_token);
    expect(decodeProtectedHeader(early.access_token).kid).toBe(before[0]);

    auth.clock.ahead += minute + 1000;
    const late = await refresh(early.refresh_token);
    expect(decodeProtectedHeader(late.access_token).kid).toBe(kid);
    expect(decodeProtectedHeader(late.refresh_token).kid).toBe(kid);
    expect(await kids()).toEqual([kid, before[0]]);

    auth.clock.ahead += 17 * 24 * 60 * minute;
    expect(await kids()).toEqual([kid]);
    auth.clock.ahead = 0;
  });

  it('creates one first key when many processes start concurrently', async () => {
    const real = createKeyStore(auth.context.connection.useDb(`${auth.context.config.NAMESPACE}-first`));
    const seal = createSeal(['s'.repeat(32)]);
    const logger = createLogger('auth', 'silent');
    const rings = Array.from({ length: 6 }, () => createKeyRing(real, seal, () => new Date(), logger));
    const sets = await Promise.all(rings.map((ring) => ring.current()));
    expect(new Set(sets.map((set) => set.signing.kid)).size).toBe(1);
    expect(await real.all()).toHaveLength(1);
    const [key] = await real.all();
    expect(key?.sealed_private).not.toContain('"d"');
  });

  /** Another process of the service: what it says of itself and, where it serves, shows at the JWKS address. */
  const another = async (settings: { AUTH_SECRET?: [string] } = {}) => {
    const context = createContext({ ...auth.context.config, ...settings });
    try {
      await mongoReady(context.connection);
      const { ready, checks } = await context.health.report();
      const { status, body } = await request(createApp(context)).get('/jwks');
      const shown = (body as { keys?: { kid: string }[] }).keys?.map((key) => key.kid);
      return { ready, check: checks['signing keys'], status, shown };
    } finally {
      await context.close();
    }
  };

  it('are required for readiness: with another AUTH_SECRET a process is not ready', async () => {
    const good = { ready: true, check: 'up', status: 200, shown: await kids() };
    expect(await another()).toEqual(good);
    const wrong = { ready: false, check: 'down', status: 500, shown: undefined };
    expect(await another({ AUTH_SECRET: ['another-secret-than-they-were-stored-with'] })).toEqual(wrong);
    expect(await another()).toEqual(good);
  });

  it.each([
    ['the private part', { sealed_private: 'broken' }],
    ['the public part', { public_jwk: '{' }],
    ['its time', { active_from: null }],
  ])('skips an unusable key if others are usable: %s', async (_part, broken) => {
    const { kid } = (await auth.internal('/internal/keys/rotate', {}).expect(200)).body as { kid: string };
    const others = (await kids()).filter((one) => one !== kid);
    const stored = auth.context.connection.collection('signing_keys');
    expect((await stored.updateOne({ kid }, { $set: broken })).modifiedCount).toBe(1);
    const { ready, status, shown } = await another();
    expect({ ready, status, shown }).toEqual({ ready: true, status: 200, shown: others });
    await stored.deleteOne({ kid });
  });
});
