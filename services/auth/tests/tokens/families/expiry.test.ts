import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { startService, type ServiceUnderTest } from '../../harness.ts';
import { moveDate } from '../../support/move-date.ts';
import type { TestMember } from '../../support/people.ts';
import { destination } from '../../support/browser.ts';

const day = 86_400_000;

describe('lifetimes', () => {
  let auth: ServiceUnderTest;
  let member: TestMember;
  beforeAll(async () => {
    auth = await startService('expiry');
    member = await auth.addMember();
  });
  afterAll(async () => {
    jest.useRealTimers();
    await auth.close();
  });

  const exchange = (code: string) => auth.token({ ...auth.client, grant_type: 'authorization_code', code });
  const refresh = (refresh_token: string) =>
    auth.token({ ...auth.client, grant_type: 'refresh_token', refresh_token });
  const codeOf = async () =>
    (await auth.browser().signIn(auth.client, member)).searchParams.get('code') ?? '';
  const pairOf = async () => (await exchange(await codeOf()).expect(200)).body as { refresh_token: string };

  /** Time goes by for the codes that Redis keeps, too. */
  const passInRedis = async (seconds: number) => {
    const { redis, config } = auth.context;
    for (const key of await redis.keys(`${config.NAMESPACE}:auth:AuthorizationCode:*`))
      await redis.expire(key, (await redis.ttl(key)) - seconds);
  };

  it('accepts a code for ten seconds', async () => {
    const [early, late] = [await codeOf(), await codeOf()];
    moveDate(8_000);
    await exchange(early).expect(200);
    moveDate(3_000);
    expect((await exchange(late).expect(400)).body).toMatchObject({ error: 'invalid_grant' });
    jest.useRealTimers();
  });

  it('recognizes a replay long after the code expired', async () => {
    const code = await codeOf();
    const pair = (await exchange(code).expect(200)).body as { refresh_token: string };
    moveDate(60_000);
    await passInRedis(60);
    await exchange(code).expect(400);
    expect((await refresh(pair.refresh_token).expect(400)).body).toMatchObject({ error: 'invalid_grant' });
    jest.useRealTimers();
  });

  it('accepts a refresh token for 14 days and 30 minutes, extended by each rotation', async () => {
    const first = await pairOf();
    moveDate(14 * day + 1_700_000);
    const second = (await refresh(first.refresh_token).expect(200)).body as { refresh_token: string };
    moveDate(14 * day);
    const third = (await refresh(second.refresh_token).expect(200)).body as { refresh_token: string };
    moveDate(14 * day + 1_900_000);
    expect((await refresh(third.refresh_token)).status).toBe(400);
    jest.useRealTimers();
  });

  it('shows an error page for a form that was open for too long', async () => {
    const browser = auth.browser();
    const page = await browser.begin(auth.client, { siteid: '1' });
    moveDate(31 * 60_000);
    const late = await browser.submit(page, { login: member.username, password: member.password });
    jest.useRealTimers();
    expect(late.status).toBe(400);
    expect(late.text).toContain('This sign-in has ended');
    const fresh = await browser.begin(auth.client, { siteid: '1' });
    const end = destination(
      await browser.submit(fresh, { login: member.username, password: member.password }),
    );
    expect(end.searchParams.get('code')).toBeTruthy();
  });

  it('accepts the choice of a site for ten minutes, and does not call a later one a wrong password', async () => {
    const shared = { username: 'bothsites', password: 'violet-harbour-46' };
    await auth.addMember({ ...shared, siteid: 1 });
    await auth.addMember({ ...shared, siteid: 2 });
    const browser = auth.browser();
    const entry = { login: shared.username, password: shared.password };
    const choice = await browser.submit(await browser.begin(auth.client), entry);
    auth.clock.ahead = 601_000;
    const late = await browser.submit(choice, { site: '2' });
    expect(late.text).toContain('This form was open for too long');
    const again = await browser.submit(late, entry);
    const end = destination(await browser.submit(again, { site: '2' }));
    auth.clock.ahead = 0;
    expect(end.searchParams.get('code')).toBeTruthy();
  });
});
