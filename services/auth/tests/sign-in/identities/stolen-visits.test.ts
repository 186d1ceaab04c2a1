import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request, { type Response } from 'supertest';
import { sha256 } from '../../../src/keys/algorithms.ts';
import { startService, type ServiceUnderTest } from '../../harness.ts';
import { cookiesOf, destination, formOf, type Browser } from '../../support/browser.ts';
import { passThrough, type OpenidProvider } from '../../support/openid-provider.ts';
import type { TestMember } from '../../support/people.ts';
import {
  continueWith,
  linksOf,
  newPerson,
  pathToProvider,
  removeLink,
  startProviders,
  type TestProviders,
} from '../../support/providers.ts';

const codeOf = (page: Response) => destination(page).searchParams.get('code');
const expired = [400, expect.stringContaining('This sign-in has ended')];

let auth: ServiceUnderTest;
let providers: TestProviders;
let google: OpenidProvider;
beforeAll(async () => {
  providers = await startProviders();
  ({ google } = providers);
  auth = await startService('stolen-visits', { environment: providers.settings });
});
afterAll(async () => {
  await auth.close();
  providers.close();
});

const begin = (browser: Browser) => browser.begin(auth.client, { siteid: '1' });
const identitiesOf = ({ member_id }: TestMember) => linksOf(auth, member_id);

/** The page that asks whose account belongs to somebody new at the provider. */
const askedToLink = async (browser: Browser) => {
  newPerson(google);
  return continueWith('google', browser, await begin(browser));
};

const linkedMember = async () => {
  const member = await auth.addMember();
  const browser = auth.browser();
  const page = await askedToLink(browser);
  expect(
    codeOf(await browser.submit(page, { login: member.username, password: member.password })),
  ).toBeTruthy();
  return member;
};

/** Asks for the mailed link; its path. */
const mailedLink = async (browser: Browser, { email }: TestMember) => {
  const { action, fields } = formOf(await askedToLink(browser));
  await browser.post(`${action}/identity/mail`, { ...fields, login: email });
  return (await auth.mailbox.wait(email, 'Link your account')).path;
};

const forgottenLink = async (browser: Browser, { email }: TestMember) => {
  const [, forgotten = ''] = /href="([^"]*\/forgotten)"/.exec((await begin(browser)).text) ?? [];
  await browser.submit(await browser.open(forgotten), { login: email });
  return (await auth.mailbox.wait(email, 'Choose a new password')).path;
};

/** Chooses a new password by mail. */
const recover = async (member: TestMember) => {
  const browser = auth.browser();
  const password = `orchid-lantern-${member.id}`;
  const page = await browser.submit(await browser.open(await forgottenLink(browser, member)), { password });
  expect(page.text).toContain('Your password was changed');
};

describe('a visit to a provider', () => {
  it('ends in the browser that began it, and once', async () => {
    await linkedMember();
    const [browser, another] = [auth.browser(), auth.browser()];
    const address = destination(await browser.open(pathToProvider('google', await begin(browser))));
    const { url } = await passThrough(address.href);
    const answer = url.pathname + url.search;
    const { status, text } = await another.open(answer);
    expect([status, text]).toEqual(expired);
    expect(codeOf(await browser.open(answer))).toBeTruthy();
    expect((await browser.open(answer)).status).toBe(400);
  });

  it('signs nobody in with the answer that another browser brought back', async () => {
    await linkedMember();
    const [thief, victim] = [auth.browser(), auth.browser()];
    const path = pathToProvider('google', await begin(thief));
    // The victim opens an address of the thief's, and is signed in at the provider.
    const { url } = await passThrough(destination(await thief.open(path)).href);
    expect((await victim.open(url.pathname + url.search)).status).toBe(400);
    const state = url.searchParams.get('state') ?? '';
    const opened = await thief.open(`${path.replace(/[/]google.*$/, '')}?state=${state}`);
    expect([opened.status, opened.text]).toEqual([403, expect.stringContaining('did not confirm')]);
  });

  it('means nothing in a browser into which somebody planted its cookies', async () => {
    newPerson(google);
    const get = (path: string, cookies: readonly string[]) =>
      request(auth.server).get(path).set('Cookie', cookies.join('; '));
    const { client_id, redirect_uri } = auth.client;
    const query = new URLSearchParams({ client_id, redirect_uri, response_type: 'code', siteid: '1' });
    const start = await get(`/authorize?${query.toString()}`, []);
    const planted = cookiesOf(start);
    const form = start.get('Location') ?? '';
    const shown = await get(form, planted);
    const own = [...planted, ...cookiesOf(shown)];
    const other = [...planted, ...cookiesOf(await get(form, planted))];
    const away = destination(await get(pathToProvider('google', shown), own));
    const { url } = await passThrough(away.href);
    const back = (await get(url.pathname + url.search, [])).get('Location') ?? '';
    expect((await get(back, other)).status).toBe(400);
    const page = await get(back, own);
    expect(page.text).toContain('Link your account');
    // Nor does the form that it led to.
    const victim = await auth.addMember();
    const { fields } = formOf(page);
    const entered = await request(auth.server)
      .post(form)
      .set('Cookie', other.join('; '))
      .type('form')
      .send({ ...fields, login: victim.username, password: victim.password });
    expect(entered.status).toBe(303);
    expect(await identitiesOf(victim)).toEqual([]);
    const register = new URLSearchParams({ proof: fields['proof'] ?? '' });
    const registration = await get(`${form}/register?${register.toString()}`, other);
    expect(formOf(registration).fields['proof'] ?? '').toBe('');
  });
});

it('a flood of links is refused, whose notices would hide one', async () => {
  const member = await auth.addMember();
  const { username: login, password } = member;
  const browser = auth.browser();
  /** Links whoever is signed in at the provider. */
  const link = async () => {
    const page = await continueWith('google', browser, await browser.begin(auth.client, { prompt: 'login' }));
    return browser.submit(page, { login, password });
  };
  newPerson(google);
  for (let turn = 0; turn < 10; turn += 1) {
    expect(codeOf(await link())).toBeTruthy();
    const { csrf = '' } = formOf(await browser.open('/account')).fields;
    await browser.post('/account', { csrf, action: 'unlink', provider: 'google' });
  }
  const refused = await link();
  expect([refused.status, refused.get('Retry-After')]).toEqual([429, expect.stringMatching(/^[0-9]+$/)]);
  expect(await identitiesOf(member)).toEqual([]);
  await auth.context.afterResponse.drained();
  const mails = await auth.mailbox.to(member.email);
  expect(mails.filter(({ subject }) => subject.startsWith('A new way to sign in'))).toHaveLength(10);
});

it('a new link is reported by mail although the process dies right after it', async () => {
  const member = await auth.addMember();
  const browser = auth.browser();
  const page = await askedToLink(browser);
  const { identities: store } = auth.context.accounts;
  const whole = { ...store };
  store.add = async (...call) => {
    Object.assign(store, whole);
    await whole.add(...call);
    throw new Error('killed');
  };
  const entry = { login: member.username, password: member.password };
  expect((await browser.submit(page, entry)).status).toBe(500);
  expect(codeOf(await browser.submit(page, entry))).toBeTruthy();
  await auth.later(5 * 60_000, () => auth.runJobs());
  await auth.mailbox.wait(member.email, 'A new way to sign in to your account');
  expect(await identitiesOf(member)).toHaveLength(1);
});

it('a mailed link works for ten minutes', async () => {
  const path = await mailedLink(auth.browser(), await auth.addMember());
  const { redis, config } = auth.context;
  const id = sha256(path.split('/').at(-1) ?? '');
  const seconds = await redis.ttl(`${config.NAMESPACE}:auth:identity-link:${id}`);
  expect([seconds > 9 * 60, seconds <= 10 * 60]).toEqual([true, true]);
});

describe('the recovery of an account', () => {
  it('makes a mailed link worthless that somebody else asked for, as does its use', async () => {
    const member = await auth.addMember();
    const thief = auth.browser();
    const page = await thief.open(await mailedLink(thief, member));
    await recover(member);
    expect((await thief.submit(page, {})).status).toBe(400);
    expect(await identitiesOf(member)).toEqual([]);

    const another = await auth.addMember();
    const browser = auth.browser();
    const shown = await browser.open(await mailedLink(browser, another));
    expect(codeOf(await browser.submit(shown, {}))).toBeTruthy();
    await removeLink(auth, another.member_id, 'google');
    expect((await browser.submit(shown, {})).status).toBe(400);
    expect(await identitiesOf(another)).toEqual([]);
  });

  it('removes the link of a sign-in that was under way', async () => {
    const member = await auth.addMember();
    const thief = auth.browser();
    const page = await askedToLink(thief);
    const { identities: store } = auth.context.accounts;
    const whole = { ...store };
    let calls = 0;
    store.add = async (...call) => {
      calls += 1;
      await recover(member);
      return whole.add(...call);
    };
    await thief.submit(page, { login: member.username, password: member.password });
    Object.assign(store, whole);
    expect(calls).toBe(1);
    expect(await identitiesOf(member)).toEqual([]);
  });

  it('removes links with the same write that sets the password', async () => {
    const member = await linkedMember();
    const browser = auth.browser();
    const page = await browser.open(await forgottenLink(browser, member));
    const { accounts } = auth.context;
    const { setSignedOut } = accounts;
    let calls = 0;
    accounts.setSignedOut = (...call) => {
      calls += 1;
      return calls === 2 ? Promise.reject(new Error('away')) : setSignedOut(...call);
    };
    const password = 'orchid-lantern-78';
    const failed = await browser.submit(page, { password });
    accounts.setSignedOut = setSignedOut;
    expect([failed.status, calls]).toEqual([500, 2]);
    expect(await identitiesOf(member)).toEqual([]);
    expect((await browser.submit(page, { password })).text).toContain('Your password was changed');
  });
});
