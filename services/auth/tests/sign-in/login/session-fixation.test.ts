import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request, { type Response } from 'supertest';
import { startService, type ServiceUnderTest } from '../../harness.ts';
import { cookiesOf, destination, formOf } from '../../support/browser.ts';
import type { TestMember } from '../../support/people.ts';

const device = (answer: Response) => cookiesOf(answer).filter((one) => one.startsWith('_device='));

let auth: ServiceUnderTest;
let victim: TestMember;
let thief: TestMember;
beforeAll(async () => {
  auth = await startService('fixation');
  [victim, thief] = [await auth.addMember(), await auth.addMember()];
});
afterAll(() => auth.close());

const get = (path: string, cookies: readonly string[]) =>
  request(auth.server).get(path).set('Cookie', cookies.join('; '));
const post = (path: string, cookies: readonly string[], form: object) =>
  request(auth.server).post(path).set('Cookie', cookies.join('; ')).type('form').send(form);

/** A sign-in up to its form, and the cookies by which its browser is known. */
const begin = async (parameters: Record<string, string> = { siteid: '1' }) => {
  const { client_id, redirect_uri } = auth.client;
  const query = new URLSearchParams({ client_id, redirect_uri, response_type: 'code', ...parameters });
  const start = await request(auth.server).get(`/authorize?${query.toString()}`);
  return { form: start.get('Location') ?? '', cookies: cookiesOf(start) };
};
const enter = async (form: string, cookies: readonly string[], who: TestMember, extra: object = {}) => {
  const { action, fields } = formOf(await get(form, cookies));
  return post(action, cookies, { ...fields, login: who.username, password: who.password, ...extra });
};
/** The result of the step after the form: a code, or another form. */
const came = (answer: Response) => {
  const { searchParams, pathname } = destination(answer);
  return searchParams.get('code') === null ? pathname.replace(/\/[^/]+$/, '/…') : 'a code';
};
const isSignedIn = async (answer: Response) => {
  const { client_id, redirect_uri } = auth.client;
  const query = new URLSearchParams({ client_id, redirect_uri, response_type: 'code', prompt: 'none' });
  return came(await get(`/authorize?${query.toString()}`, cookiesOf(answer))) === 'a code';
};

describe('a sign-in whose cookies an attacker planted in another browser', () => {
  it('continues only in the browser that entered the credentials', async () => {
    const planted = await begin();
    const entered = await enter(planted.form, planted.cookies, victim);
    const goOn = entered.get('Location') ?? '';
    const stolen = await get(goOn, planted.cookies);
    expect([stolen.status, came(stolen)]).toEqual([303, '/login/…']);
    expect(stolen.get('Location')).not.toBe(planted.form);
    expect(await isSignedIn(stolen)).toBe(false);
    const own = await get(goOn, [...planted.cookies, ...cookiesOf(entered)]);
    expect([came(own), await isSignedIn(own)]).toEqual(['a code', true]);
    // Nor once the victim has gone on, while a lost answer is repeated to them.
    expect(came(await get(goOn, planted.cookies))).toBe('/login/…');
    expect(came(await get(goOn, [...planted.cookies, ...cookiesOf(entered)]))).toBe('a code');
  });

  it('rejects the result of another sign-in, and a changed one', async () => {
    const [planted, own] = [await begin(), await begin()];
    const goOn = (await enter(planted.form, planted.cookies, victim)).get('Location') ?? '';
    const result = cookiesOf(await enter(own.form, own.cookies, thief));
    expect(result.some((cookie) => cookie.startsWith('_interaction_result='))).toBe(true);
    expect(came(await get(goOn, [...planted.cookies, ...result]))).toBe('/login/…');
    const changed = result.map((cookie) => cookie.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')));
    expect(came(await get(goOn, [...planted.cookies, ...changed]))).toBe('/login/…');
  });

  it('does not sign anybody in as an attacker who plants their own result', async () => {
    const own = await begin();
    const entered = await enter(own.form, own.cookies, thief);
    const goOn = entered.get('Location') ?? '';
    // All but the browser's own name, whose prefix at https keeps another host from planting it.
    const planted = [...own.cookies, ...cookiesOf(entered).filter((one) => !one.startsWith('_device='))];
    const before = await begin();
    const known = device(await enter(before.form, before.cookies, victim));
    expect(known).toHaveLength(1);
    for (const name of [[], known]) {
      const answer = await get(goOn, [...name, ...planted]);
      expect([came(answer), await isSignedIn(answer)]).toEqual(['/login/…', false]);
    }
    expect(came(await get(goOn, [...planted, ...device(entered)]))).toBe('a code');
  });

  it('reveals nothing to the attacker through the choice of a site or the second form', async () => {
    const shared = { username: 'TwoSites', password: 'violet-harbour-45' };
    await auth.addMember({ ...shared, siteid: 1 });
    const twice = await auth.addMember({ ...shared, siteid: 2 });
    const planted = await begin({});
    const choice = await enter(planted.form, planted.cookies, twice);
    const { csrf } = formOf(await get(planted.form, planted.cookies)).fields;
    const victims = [...planted.cookies, ...cookiesOf(choice)];
    const guessed = await post(planted.form, planted.cookies, { csrf, site: '2' });
    expect(guessed.text).toContain('open for too long');
    const { action, fields } = formOf(choice);
    const stolen = await post(action, planted.cookies, { ...fields, site: '2' });
    expect(stolen.text).toContain('open for too long');
    const chosen = await post(action, victims, { ...fields, site: '2' });
    const goOn = chosen.get('Location') ?? '';
    expect(came(await get(goOn, planted.cookies))).toBe('/login/…');
    expect(came(await get(goOn, [...victims, ...cookiesOf(chosen)]))).toBe('a code');

    const sleeper = await auth.addMember();
    const state = auth.profile.members.get(sleeper.member_id);
    if (state) state.deactivated = true;
    const again = await begin();
    const first = await enter(again.form, again.cookies, sleeper);
    const both = { ...formOf(first).fields, login: sleeper.username, password: sleeper.password };
    const own = [...again.cookies, ...cookiesOf(first)];
    const second = await post(again.form, own, both);
    const after = second.get('Location') ?? '';
    expect(came(await get(after, again.cookies))).toBe('/login/…');
    expect(came(await get(after, [...own, ...cookiesOf(second)]))).toBe('a code');
  });

  it('accepts both of two concurrent submissions, as after a double click', async () => {
    const { form, cookies } = await begin();
    const twice = await Promise.all([enter(form, cookies, victim), enter(form, cookies, victim)]);
    for (const entered of twice) {
      const goOn = await get(entered.get('Location') ?? '', [...cookies, ...cookiesOf(entered)]);
      expect(came(goOn)).toBe('a code');
    }
  });

  it('stores no account with the interaction', async () => {
    const { form, cookies } = await begin();
    await enter(form, cookies, victim);
    const { redis, config } = auth.context;
    const key = `${config.NAMESPACE}:auth:Interaction:${form.split('/').at(-1)}`;
    expect(await redis.hget(key, 'payload')).not.toContain(victim.member_id);
  });
});

describe('the cookies of an authorization server with https', () => {
  let secure: ServiceUnderTest;
  beforeAll(async () => {
    secure = await startService('securecookies', { environment: { AUTH_PUBLIC_URL: 'https://auth.test' } });
  });
  afterAll(() => secure.close());

  it('have the prefixes that make browsers reject planted cookies', async () => {
    const member = await secure.addMember();
    const { client_id, redirect_uri } = secure.client;
    const query = new URLSearchParams({ client_id, redirect_uri, response_type: 'code', siteid: '1' });
    const seen: string[] = [];
    const jar: string[] = [];
    const keep = (answer: Response) => {
      seen.push(...(answer.get('Set-Cookie') ?? []));
      jar.push(...cookiesOf(answer));
      return answer;
    };
    const ask = (path: string) => request(secure.server).get(path).set('Cookie', jar.join('; '));
    const start = keep(await ask(`/authorize?${query.toString()}`));
    const { action, fields } = formOf(await ask(start.get('Location') ?? ''));
    const { username: login, password } = member;
    const form = { ...fields, login, password };
    const entered = keep(
      await request(secure.server).post(action).set('Cookie', jar.join('; ')).type('form').send(form),
    );
    expect(came(keep(await ask(entered.get('Location') ?? '')))).toBe('a code');
    expect(came(await ask(`/authorize?${query.toString()}`))).toBe('a code');

    const rows = seen.filter((cookie) => !cookie.includes('01 Jan 1970'));
    expect([...new Set(rows.map((cookie) => cookie.split('=', 1)[0]))].toSorted()).toEqual([
      '__Host-device',
      '__Host-session',
      '__Host-session.sig',
      '__Secure-interaction',
      '__Secure-interaction.sig',
      '__Secure-interaction_result',
      '__Secure-interaction_resume',
      '__Secure-interaction_resume.sig',
    ]);
    for (const cookie of seen) {
      const attributes = cookie.toLowerCase().split('; ').slice(1);
      expect(attributes).toEqual(expect.arrayContaining(['secure', 'httponly', 'samesite=lax']));
      expect(cookie).not.toMatch(/domain=/i);
      expect(attributes.includes('path=/')).toBe(cookie.startsWith('__Host-'));
    }
  });
});
