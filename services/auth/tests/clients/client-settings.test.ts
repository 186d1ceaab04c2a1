import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import { decodeJwt } from 'jose';
import { startService, type ServiceUnderTest } from '../harness.ts';
import { destination, formOf } from '../support/browser.ts';
import type { TestClient, TestMember } from '../support/people.ts';

interface Pair {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
}

let auth: ServiceUnderTest;
let member: TestMember;
beforeAll(async () => {
  auth = await startService('clientsettings');
  member = await auth.addMember();
});
afterAll(() => auth.close());

const exchange = (client: TestClient, code: string) =>
  auth.token({ ...client, grant_type: 'authorization_code', code });
const signIn = async (client: TestClient) => {
  const back = await auth.browser().signIn(client, member);
  return (await exchange(client, back.searchParams.get('code') ?? '').expect(200)).body as Pair;
};
const refresh = (client: TestClient, { refresh_token }: Pair) =>
  auth.token({ ...client, grant_type: 'refresh_token', refresh_token });
const expiryOf = (token: string) => decodeJwt(token).exp ?? 0;
const set = ({ client_id }: TestClient, settings: object) =>
  auth.internal('/internal/clients/settings', { client_id, ...settings });

describe('a client that requires PKCE', () => {
  const verifier = randomBytes(32).toString('base64url');
  const withChallenge = {
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  };

  it('gets no sign-in without a challenge, and tokens only with the verifier', async () => {
    const client = await auth.createClient({ require_pkce: true });
    const refused = destination(await auth.browser().begin(client, { state: 'kept' })).searchParams;
    expect([refused.get('error'), refused.get('state'), refused.get('code')]).toEqual([
      'invalid_request',
      'kept',
      null,
    ]);
    const back = await auth.browser().signIn(client, member, withChallenge);
    const code = back.searchParams.get('code') ?? '';
    await auth
      .token({ ...client, grant_type: 'authorization_code', code, code_verifier: verifier })
      .expect(200);
  });

  it('exchanges the code of a registration without a verifier', async () => {
    const client = await auth.createClient({ require_pkce: true });
    const issued = { member_id: member.member_id, client_id: client.client_id };
    const { code } = (await auth.internal('/internal/codes', issued).expect(200)).body as { code: string };
    expect((await exchange(client, code)).status).toBe(200);
  });

  it('works without PKCE once the setting is removed', async () => {
    const client = await auth.createClient({ require_pkce: true });
    await set(client, { require_pkce: false }).expect(200, {});
    expect(await signIn(client)).toHaveProperty('access_token');
  });
});

describe('the grace period for a lost refresh response', () => {
  it.each([
    [30, 29_000, 31_000],
    [60, 59_000, 61_000],
    [120, 119_000, 121_000],
  ])('is the setting of the client: %i s', async (refresh_grace_seconds, within, after) => {
    const client = await auth.createClient({ refresh_grace_seconds });
    const first = await signIn(client);
    const { body } = await refresh(client, first).expect(200);
    const again = await auth.later(within, () => refresh(client, first).expect(200));
    expect(again.body).toEqual(body);
    const late = await auth.later(after, () => refresh(client, first).expect(400));
    expect(late.body).toMatchObject({ error: 'invalid_grant' });
    await refresh(client, body as Pair).expect(400);
  });

  it('returns one pair to concurrent refreshes even with 0 s', async () => {
    const client = await auth.createClient({ refresh_grace_seconds: 0 });
    const first = await signIn(client);
    const answers = await Promise.all([1, 2, 3].map(() => refresh(client, first)));
    const given = answers.filter(({ status }) => status === 200).map(({ body }) => body as Pair);
    expect(given.length).toBeGreaterThan(0);
    expect(new Set(given.map((pair) => pair.refresh_token)).size).toBe(1);
  });

  it('is at most 120 s', async () => {
    for (const refresh_grace_seconds of [121, -1, 1.5]) {
      expect((await set(auth.client, { refresh_grace_seconds })).status).toBe(403);
    }
  });
});

describe('the lifetime of refresh tokens', () => {
  const day = 86_400;

  it('is not limited by default for a client with a secret', async () => {
    let pair = await signIn(auth.client);
    for (let days = 10; days <= 400; days += 10) {
      pair = (await auth.later(days * day * 1000, () => refresh(auth.client, pair).expect(200))).body as Pair;
    }
    expect(pair.expires_in).toBe(1800);
  });

  it('ends the family, however often its tokens are refreshed', async () => {
    const client = await auth.createClient({ refresh_lifetime_seconds: day });
    const began = Math.floor(Date.now() / 1000);
    const first = await signIn(client);
    expect(expiryOf(first.refresh_token)).toBeLessThanOrEqual(began + day + 5);
    const second = (await auth.later((day - 600) * 1000, () => refresh(client, first).expect(200)))
      .body as Pair;
    expect(second.expires_in).toBeLessThanOrEqual(600);
    expect(second.expires_in).toBeGreaterThan(500);
    for (const token of [second.access_token, second.refresh_token]) {
      expect(expiryOf(token)).toBeLessThanOrEqual(began + day + 5);
    }
    const over = await auth.later((day + 10) * 1000, () => refresh(client, second).expect(400));
    expect(over.body).toMatchObject({ error: 'invalid_grant' });
    const { family } = decodeJwt<{ family: string }>(second.refresh_token);
    expect((await auth.context.tokens.families.find(family))?.revoked_at).toBeTruthy();
  });

  it('starts with the credentials, not with a code from the session', async () => {
    const client = await auth.createClient({ refresh_lifetime_seconds: day });
    const browser = auth.browser();
    const given = Math.floor(Date.now() / 1000) - day + 600;
    await auth.later((600 - day) * 1000, () => browser.signIn(client, member));
    const silent = destination(await browser.begin(client)).searchParams.get('code') ?? '';
    const pair = (await exchange(client, silent).expect(200)).body as Pair;
    expect(pair.expires_in).toBeLessThanOrEqual(600);
    for (const token of [pair.access_token, pair.refresh_token]) {
      expect(expiryOf(token)).toBeLessThanOrEqual(given + day + 5);
    }
    await auth.later(700_000, () => refresh(client, pair).expect(400));
  });

  it('requires credentials for the next code once it has ended', async () => {
    const client = await auth.createClient({ refresh_lifetime_seconds: day });
    const browser = auth.browser();
    await auth.later(-(day + 10) * 1000, () => browser.signIn(client, member));
    expect(formOf(await browser.begin(client)).fields).toHaveProperty('password');
    const none = destination(await browser.begin(client, { prompt: 'none' }));
    expect(none.searchParams.get('error')).toBe('login_required');
    const pair = await signIn(client);
    expect(pair.expires_in).toBe(1800);
  });

  it('applies to earlier sign-ins, and only to those of the client', async () => {
    const [client, other] = [await auth.createClient(), await auth.createClient()];
    const [pair, others] = [await signIn(client), await signIn(other)];
    await set(client, { refresh_lifetime_seconds: 60 }).expect(200);
    await auth.later(61_000, async () => {
      // Another client, and one with a short lifetime, can end nothing by a token that is not theirs.
      expect((await refresh(client, others)).status).toBe(400);
      expect((await refresh(other, others)).status).toBe(200);
      expect((await refresh(client, pair)).status).toBe(400);
    });
    await set(client, { refresh_lifetime_seconds: null }).expect(200);
    expect((await refresh(client, await signIn(client))).status).toBe(200);
  });

  it('is between one minute and ten years', async () => {
    for (const refresh_lifetime_seconds of [0, 59, 315_360_001]) {
      expect((await set(auth.client, { refresh_lifetime_seconds })).status).toBe(403);
    }
  });
});
