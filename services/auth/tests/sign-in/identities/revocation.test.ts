import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import request from 'supertest';
import { startService, type ServiceUnderTest } from '../../harness.ts';
import { destination, formOf, type Browser } from '../../support/browser.ts';
import type { OpenidProvider } from '../../support/openid-provider.ts';
import type { TestClient, TestMember } from '../../support/people.ts';
import {
  continueWith,
  nativeClientId,
  newPerson,
  startProviders,
  storeLink,
  type TestProviders,
} from '../../support/providers.ts';

const minute = 60_000;
const hour = 60 * minute;

let auth: ServiceUnderTest;
let providers: TestProviders;
let apple: OpenidProvider;
let app: TestClient;
beforeAll(async () => {
  providers = await startProviders();
  ({ apple } = providers);
  auth = await startService('revocation', { environment: providers.settings });
  app = await auth.createClient({ public: true, redirect_uri: 'com.example.app:/back' });
});
afterAll(async () => {
  await auth.close();
  providers.close();
});
afterEach(() => {
  apple.state = 'up';
});

const begin = (browser: Browser) => browser.begin(auth.client, { siteid: '1' });
const newestToken = () => apple.refreshTokens.at(-1) ?? '';
const revocationsOf = (token: string) => apple.revocations.filter((one) => one.token === token);

/** A browser that links an account of somebody at Apple; their `sub` and refresh token. */
const link = async (member: TestMember) => {
  const { sub } = newPerson(apple);
  const browser = auth.browser();
  const page = await continueWith('apple', browser, await begin(browser));
  const { username, password } = member;
  const end = await browser.submit(page, { login: username, password });
  expect(destination(end).searchParams.get('code')).toBeTruthy();
  return { browser, sub, token: newestToken() };
};
const linkedMember = async () => {
  const member = await auth.addMember();
  return { ...member, ...(await link(member)) };
};
const erase = ({ member_id, id }: TestMember) => auth.internal('/internal/members/erase', { member_id, id });
const unlink = async (browser: Browser) => {
  const { csrf = '' } = formOf(await browser.open('/account')).fields;
  return browser.post('/account', { csrf, action: 'unlink', provider: 'apple' });
};
/** Runs the jobs some time later. */
const jobs = (ms = 2 * minute) => auth.later(ms, () => auth.runJobs());
const wholeDatabase = async () => {
  const { db } = auth.context.connection;
  const collections = (await db?.collections()) ?? [];
  return JSON.stringify(await Promise.all(collections.map((one) => one.find().toArray())));
};
const stored = () => auth.context.connection.collection('provider_tokens').find().toArray();
const outcomes = async () => {
  const { values } = await auth.context.metrics.providerRevocations.get();
  return Object.fromEntries(values.map(({ labels, value }) => [labels.outcome, value]));
};

const dies = () => Promise.reject(new Error('killed'));

const newNonce = async () => {
  const { body } = await request(auth.server).post('/identity/nonce').expect(200);
  return (body as { nonce: string }).nonce;
};
const exchange = async (sub: string, authorization_code: string) => {
  const nonce = await newNonce();
  const answer = await auth.token({
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    client_id: app.client_id,
    subject_token: await apple.sign({ sub, nonce, aud: nativeClientId }),
    subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
    provider: 'apple',
    nonce,
    authorization_code,
  });
  await auth.context.afterResponse.drained();
  return answer.status;
};
const nativeMember = async () => {
  const member = await auth.addMember();
  const { sub } = newPerson(apple);
  await storeLink(auth, member, sub, 'apple');
  return { ...member, sub };
};

describe('a refresh token of a provider', () => {
  it('is revoked after the erasure of its member, and nothing is left of either', async () => {
    const member = await linkedMember();
    expect(await apple.isValid(member.token)).toBe(true);
    const exported = await auth.internal('/internal/members/export', {
      member_id: member.member_id,
      id: member.id,
    });
    expect(exported.body).toMatchObject({ identities: [{ provider: 'apple', has_refresh_token: true }] });
    const database = await wholeDatabase();
    expect(database).toContain(member.member_id);
    expect(database).not.toContain(member.token);

    await erase(member).expect(200);
    expect(await stored()).toHaveLength(1);
    const after = await wholeDatabase();
    for (const trace of [member.member_id, member.sub, member.email, member.token])
      expect(after).not.toContain(trace);
    await jobs();
    expect(revocationsOf(member.token)).toEqual([{ token: member.token, client_id: apple.clientId }]);
    expect(await apple.isValid(member.token)).toBe(false);
    expect(await stored()).toEqual([]);
  });

  it('does not hold the erasure up: while the provider is away, the revocation is repeated', async () => {
    const member = await linkedMember();
    apple.state = 'away';
    await erase(member).expect(200);
    await jobs();
    await jobs(4 * minute);
    apple.state = 'up';
    // The third attempt is due two minutes after the second one.
    await jobs(5 * minute);
    expect(revocationsOf(member.token)).toEqual([]);
    await jobs(7 * minute);
    await jobs(hour);
    expect(revocationsOf(member.token)).toHaveLength(1);
    expect(await stored()).toEqual([]);
  });

  it('is given up after a week, with one line in the log', async () => {
    const member = await linkedMember();
    apple.state = 'away';
    await erase(member).expect(200);
    const error = jest.spyOn(auth.context.logger, 'error');
    const { given_up = 0 } = await outcomes();
    for (const day of [1, 3, 6]) await jobs(day * 24 * hour);
    expect(await stored()).toHaveLength(1);
    await jobs(9 * 24 * hour);
    await jobs(10 * 24 * hour);
    expect(error).toHaveBeenCalledTimes(1);
    expect(error).toHaveBeenCalledWith(
      { provider: 'apple', attempts: 3 },
      expect.stringContaining('gave up'),
    );
    error.mockRestore();
    expect(await stored()).toEqual([]);
    expect((await outcomes())['given_up']).toBe(given_up + 1);
  });

  it('is revoked when the member removes the link, unless it is linked again by then', async () => {
    const member = await linkedMember();
    await unlink(member.browser);
    await jobs();
    expect(revocationsOf(member.token)).toHaveLength(1);

    const { browser, token } = await link(member);
    await unlink(browser);
    const { sub } = apple.person ?? {};
    await storeLink(auth, member, sub ?? '', 'apple');
    await jobs();
    expect(await apple.isValid(token)).toBe(true);
    await erase(member).expect(200);
    await jobs();
    expect(revocationsOf(token)).toHaveLength(1);
  });

  it('stays while the person signs in to an account of another site', async () => {
    const member = await linkedMember();
    const other = await auth.addMember({ siteid: 2 });
    await storeLink(auth, other, member.sub, 'apple');
    await erase(member).expect(200);
    await jobs();
    expect(await apple.isValid(member.token)).toBe(true);
    await erase(other).expect(200);
    await jobs();
    expect(revocationsOf(member.token)).toHaveLength(1);
  });

  it('is replaced by that of a later sign-in', async () => {
    const member = await linkedMember();
    await jobs(2 * hour);
    const browser = auth.browser();
    await continueWith('apple', browser, await begin(browser));
    const newer = newestToken();
    expect(newer).not.toBe(member.token);
    await erase(member).expect(200);
    await jobs();
    expect([revocationsOf(member.token), revocationsOf(newer)]).toEqual([[], [expect.anything()]]);
    expect(await stored()).toEqual([]);
  });

  it('is revoked when nobody links an account within an hour', async () => {
    newPerson(apple);
    const browser = auth.browser();
    expect((await continueWith('apple', browser, await begin(browser))).text).toContain('Link your account');
    await jobs(59 * minute);
    expect(await apple.isValid(newestToken())).toBe(true);
    await jobs(61 * minute);
    expect(revocationsOf(newestToken())).toHaveLength(1);
  });

  it.each(['before', 'after'])('survives a process that dies right %s the link is removed', async (when) => {
    const member = await linkedMember();
    const { accounts } = auth.context;
    const whole = { accounts: { ...accounts }, claims: { ...accounts.claims } };
    if (when === 'before') accounts.erase = dies;
    else accounts.claims.releaseAll = dies;
    await erase(member).expect(500);
    Object.assign(accounts, whole.accounts);
    Object.assign(accounts.claims, whole.claims);
    await jobs(11 * minute);
    // The link was still there, so the token was needed; profile repeats the erasure.
    expect(revocationsOf(member.token)).toHaveLength(when === 'before' ? 0 : 1);
    await erase(member).expect(200);
    await jobs(22 * minute);
    expect(revocationsOf(member.token)).toHaveLength(1);
    expect(await stored()).toEqual([]);
  });

  describe('of an app that hands in the authorization code', () => {
    it('is kept and revoked for the client of the app', async () => {
      const member = await nativeMember();
      expect(await exchange(member.sub, await apple.nativeCode(member.sub))).toBe(200);
      const token = newestToken();
      await erase(member).expect(200);
      await jobs();
      expect(revocationsOf(token)).toEqual([{ token, client_id: nativeClientId }]);
    });

    it.each(['unknown', "somebody else's"])('has no say in the sign-in: the code is %s', async (what) => {
      const member = await nativeMember();
      const code = what === 'unknown' ? 'no code of the provider' : await apple.nativeCode('somebody-else');
      expect(await exchange(member.sub, code)).toBe(200);
      expect(await stored()).toEqual([]);
      await erase(member).expect(200);
    });
  });

  // Last: the processes of the rotation close the database.
  it('outlasts the secret that has sealed it', async () => {
    const member = await linkedMember();
    const { NAMESPACE, AUTH_SECRET } = auth.context.config;
    const settings = { ...providers.settings, NAMESPACE, PROFILE_URL: auth.profile.url };
    const newSecret = 'the-auth-secret-that-comes-in-its-place-02';
    const secrets = [newSecret, ...AUTH_SECRET].join();
    const both = await startService('revocation', { environment: { ...settings, AUTH_SECRET: secrets } });
    await both.runJobs();
    const alone = await startService('revocation', { environment: { ...settings, AUTH_SECRET: newSecret } });
    const { member_id, id } = member;
    await alone.internal('/internal/members/erase', { member_id, id }).expect(200);
    await alone.later(2 * minute, () => alone.runJobs());
    expect(revocationsOf(member.token)).toHaveLength(1);
    await both.close();
    await alone.close();
  });
});
