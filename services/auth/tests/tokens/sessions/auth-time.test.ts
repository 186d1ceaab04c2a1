import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { startService, type ServiceUnderTest } from '../../harness.ts';
import { destination, formOf, type Browser } from '../../support/browser.ts';
import type { TestMember } from '../../support/people.ts';

interface Pair {
  readonly access_token: string;
  readonly refresh_token: string;
}

const minute = 60_000;

const timeOf = ({ access_token }: Pair) => Number(decodeJwt(access_token)['auth_time']);
const agoOf = (pair: Pair) => Math.round(Date.now() / 1000 - timeOf(pair));

describe('auth_time in access tokens', () => {
  let auth: ServiceUnderTest;
  let member: TestMember;
  beforeAll(async () => {
    auth = await startService('authtime');
    member = await auth.addMember();
  });
  afterAll(() => auth.close());

  const pairFor = async (code: string | null): Promise<Pair> => {
    const form = { ...auth.client, grant_type: 'authorization_code', code: code ?? '' };
    return (await auth.token(form).expect(200)).body as Pair;
  };
  const refresh = async ({ refresh_token }: Pair): Promise<Pair> => {
    const form = { ...auth.client, grant_type: 'refresh_token', refresh_token };
    return (await auth.token(form).expect(200)).body as Pair;
  };
  /** Signs in as if so many milliseconds ago. */
  const signInBefore = (ms: number, browser: Browser) =>
    auth.later(-ms, () => browser.signIn(auth.client, member));

  it('is the time when the credentials were entered, and a refresh keeps it', async () => {
    const first = await pairFor((await signInBefore(20 * minute, auth.browser())).searchParams.get('code'));
    expect(agoOf(first)).toBeGreaterThanOrEqual(20 * 60);
    const second = await refresh(await refresh(first));
    expect(timeOf(second)).toBe(timeOf(first));
    expect(Number(decodeJwt(second.access_token).iat)).toBeGreaterThan(timeOf(second));
  });

  it('is the time of the session when a code comes without the form', async () => {
    const browser = auth.browser();
    await signInBefore(20 * minute, browser);
    const silent = await pairFor(destination(await browser.begin(auth.client)).searchParams.get('code'));
    expect(agoOf(silent)).toBeGreaterThanOrEqual(20 * 60);
  });

  it('is the current time for the code of a registration', async () => {
    const { member_id } = await auth.addMember();
    const { client_id } = auth.client;
    const { body } = await auth.internal('/internal/codes', { member_id, client_id }).expect(200);
    const pair = await pairFor((body as { code: string }).code);
    expect(agoOf(pair)).toBeLessThan(5);
    // With the password that the member has just chosen.
    expect(decodeJwt(pair.access_token)['amr']).toEqual(['pwd']);
  });

  it.each<Record<string, string>>([{ max_age: '600' }, { prompt: 'login' }])(
    'is renewed by %j, which shows the form for an older session',
    async (asked) => {
      const browser = auth.browser();
      await signInBefore(20 * minute, browser);
      const form = await browser.begin(auth.client, asked);
      expect(formOf(form).fields).toHaveProperty('password');
      const { username: login, password } = member;
      const back = destination(await browser.submit(form, { login, password }));
      expect(agoOf(await pairFor(back.searchParams.get('code')))).toBeLessThan(5);
    },
  );

  it('is renewed by max_age=0 however young the session is', async () => {
    const browser = auth.browser();
    await browser.signIn(auth.client, member);
    expect(formOf(await browser.begin(auth.client, { max_age: '0' })).fields).toHaveProperty('password');
  });

  it('rejects a max_age that is no number', async () => {
    const back = destination(await auth.browser().begin(auth.client, { max_age: 'soon' }));
    expect(back.searchParams.get('error')).toBe('invalid_request');
  });

  it('is kept when the session is younger than max_age', async () => {
    const browser = auth.browser();
    await signInBefore(5 * minute, browser);
    const back = destination(await browser.begin(auth.client, { max_age: '600' }));
    expect(agoOf(await pairFor(back.searchParams.get('code')))).toBeGreaterThanOrEqual(5 * 60);
  });
});
