import type { Admission } from '@covalence/contract/admission-flag';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { redisKeys } from '@covalence/contract/redis-keys';
import { startJobs } from '@covalence/events/periodic';
import { until } from '@covalence/testing/until';
import { Redis } from 'ioredis';
import request from 'supertest';
import { v7 } from 'uuid';
import { jobsOf } from '../../../src/background.ts';
import { startService, type ServiceUnderTest } from '../../harness.ts';
import { destination } from '../../support/browser.ts';
import { admissionOfPair, claimsOf, type Pair } from '../../support/issued-pair.ts';
import type { TestMember } from '../../support/people.ts';

/** Two sign-ins of one member: the acting one, and another. */
interface SignIns {
  readonly member: TestMember;
  readonly mine: Pair;
  readonly other: Pair;
  /** The code that `mine` was given for. */
  readonly code: string;
}

/** A registration whose member never came. */
const leftOver = {
  member_id: v7(),
  id: 9,
  siteid: 1,
  username: 'leftover',
  email: 'left-over@mail.example',
  password: 'violet-harbour-42',
  password_minimum: 8,
};

describe('access tokens are revoked with their sign-in', () => {
  let auth: ServiceUnderTest;
  beforeAll(async () => {
    auth = await startService('endedtokens');
  });
  afterAll(() => auth.close());

  const namespace = () => auth.context.config.NAMESPACE;

  const admission = (pair: Pair) => admissionOfPair(auth, pair);
  const exchange = (code: string, client = auth.client) =>
    auth.token({ ...client, grant_type: 'authorization_code', code });
  const codeFor = async (member: TestMember) =>
    (await auth.browser().signIn(auth.client, member)).searchParams.get('code') ?? '';
  const pairOf = async (code: string) => (await exchange(code).expect(200)).body as Pair;
  const refresh = ({ refresh_token }: Pair, client = auth.client) =>
    auth.token({ ...client, grant_type: 'refresh_token', refresh_token });
  const signIns = async (): Promise<SignIns> => {
    const member = await auth.addMember();
    const code = await codeFor(member);
    return { member, code, mine: await pairOf(code), other: await pairOf(await codeFor(member)) };
  };
  const everywhere = ({ access_token }: Pair) =>
    request(auth.server).post('/session/everywhere').set('Authorization', `Bearer ${access_token}`);
  const revoke = async (token: string) => {
    const { client_id, client_secret } = auth.client;
    await request(auth.server)
      .post('/revoke')
      .type('form')
      .send({ client_id, client_secret, token })
      .expect(200);
  };
  const changeEmail = async ({ member: { member_id, email: before } }: SignIns, family: string) => {
    const email = `new-${before}`;
    await auth.internal('/internal/accounts/change-email', { member_id, email, family }).expect(200);
    const { path } = await auth.mailbox.wait(email, 'Please confirm your new email');
    const browser = auth.browser();
    await browser.submit(await browser.open(path), {});
  };

  const ends: [string, (all: SignIns) => Promise<unknown>, Admission, Admission][] = [
    ['signing out everywhere', ({ mine }) => everywhere(mine).expect(200), 'ended', 'ended'],
    [
      'the second button of the sign-out page',
      async ({ member }) => {
        const browser = auth.browser();
        await browser.signIn(auth.client, member);
        await browser.submit(await browser.open('/session/end'), { logout: 'everywhere' });
      },
      'ended',
      'ended',
    ],
    [
      'a new email address, except for the sign-in that requested it',
      (all) => changeEmail(all, claimsOf(all.mine).family),
      'good',
      'ended',
    ],
    [
      'a new password by mail',
      async ({ member }) => {
        const browser = auth.browser();
        const page = await browser.begin(auth.client, { siteid: '1' });
        const link = /<a href="([^"]+\/forgotten)"/.exec(page.text)?.[1] ?? '';
        await browser.submit(await browser.open(link), { login: member.email });
        const { path } = await auth.mailbox.wait(member.email, 'Choose a new password');
        await browser.submit(await browser.open(path), { password: 'quiet-meadow-77' });
      },
      'ended',
      'ended',
    ],
    [
      "another service, as a staff member's decision",
      ({ member: { member_id } }) => auth.internal('/internal/sessions/end', { member_id }).expect(200),
      'ended',
      'ended',
    ],
    [
      'the revocation of its refresh token (RFC 7009)',
      ({ mine }) => revoke(mine.refresh_token),
      'ended',
      'good',
    ],
    ['a second use of its code', ({ code }) => exchange(code).expect(400), 'ended', 'good'],
    [
      'a second use of a refresh token',
      async ({ mine }) => {
        const second = (await refresh(mine).expect(200)).body as Pair;
        await refresh(second).expect(200);
        await refresh(mine).expect(400);
      },
      'ended',
      'good',
    ],
  ];

  it.each(ends)('by %s', async (_name, end, ofMine, ofOther) => {
    const all = await signIns();
    expect([await admission(all.mine), await admission(all.other)]).toEqual(['good', 'good']);
    await end(all);
    expect([await admission(all.mine), await admission(all.other)]).toEqual([ofMine, ofOther]);
    // The member is not locked out: not even a sign-in within the same second is over.
    const password = _name.startsWith('a new password') ? 'quiet-meadow-77' : all.member.password;
    expect(await admission(await pairOf(await codeFor({ ...all.member, password })))).toBe('good');
  });

  it('with a disabled client application, until it is enabled again', async () => {
    const client = await auth.createClient();
    const member = await auth.addMember();
    const code = (await auth.browser().signIn(client, member)).searchParams.get('code') ?? '';
    const pair = (await exchange(code, client).expect(200)).body as Pair;
    const disable = (disabled: boolean) =>
      auth.internal('/internal/clients/disable', { client_id: client.client_id, disabled }).expect(200);
    await disable(true);
    expect(await admission(pair)).toBe('ended');
    await refresh(pair, client).expect(401);
    await auth.context.redis.del(redisKeys.ended(namespace(), 'client', client.client_id));
    await auth.runJobs();
    expect(await admission(pair)).toBe('ended');
    const store = auth.context.clients.flags;
    const original = { ...store };
    store.setDisabled = () => Promise.reject(new Error('connection refused'));
    await disable(false);
    Object.assign(store, original);
    expect(await admission(pair)).toBe('ended');
    await auth.runJobs();
    expect(await admission(pair)).toBe('good');
    await disable(true);
    await disable(false);
    expect(await admission(pair)).toBe('good');
    await refresh(pair, client).expect(200);
  });

  it('with a disabled staff account, for good', async () => {
    const client = await auth.createClient({ staff: true });
    const username = 'ended-staff';
    const password = 'copper-lantern-7';
    await auth.internal('/internal/staff/create', { username, password, roles: {} }).expect(200);
    const browser = auth.browser();
    const end = await browser.submit(await browser.begin(client), { login: username, password });
    const code = destination(end).searchParams.get('code') ?? '';
    const pair = (await exchange(code, client).expect(200)).body as Pair;
    await auth.internal('/internal/staff/disable', { username, disabled: true }).expect(200);
    await auth.internal('/internal/staff/disable', { username, disabled: false }).expect(200);
    expect(await admission(pair)).toBe('ended');
    await refresh(pair, client).expect(400);
  });

  it('as soon as Redis is up again after being down or losing its data', async () => {
    const { mine } = await signIns();
    const store = auth.context.tokens.revocations;
    const original = { ...store };
    store.revokeFamilies = () => Promise.reject(new Error('connection refused'));
    await everywhere(mine).expect(200);
    Object.assign(store, original);
    expect(await admission(mine)).toBe('good');
    await refresh(mine).expect(400);
    await auth.runJobs();
    expect(await admission(mine)).toBe('ended');
  });

  it.each(['profile is down', 'the mail server does not respond'])(
    'as soon as Redis is up again, even while %s',
    async (what) => {
      const { profile, clock, context } = auth;
      const { mine } = await signIns();
      await revoke(mine.refresh_token);
      const stuck = Promise.withResolvers<void>();
      const original = { ...context.mail };
      if (what === 'profile is down') {
        // The leftovers of a registration wait for profile.
        await auth.internal('/internal/accounts/reserve', leftOver).expect(200);
        profile.away = true;
      } else {
        context.mail.send = () => stuck.promise;
        await auth.addMember();
      }
      clock.ahead = 61_000;
      const jobs = startJobs(context, jobsOf(context, 20));
      try {
        // Work that hangs in one round does not delay the next one.
        for (const _round of [1, 2]) {
          await context.redis.del(redisKeys.ended(namespace(), 'family', claimsOf(mine).family));
          expect(await until('a flag', async () => (await admission(mine)) !== 'good')).toBe(true);
        }
      } finally {
        Object.assign(context.mail, original);
        [profile.away, clock.ahead] = [false, 0];
        stuck.resolve();
        await jobs.close();
      }
    },
  );

  it('and the open sockets of the member are notified', async () => {
    const { mine } = await signIns();
    const { mid = 0, family } = claimsOf(mine);
    const subscriber = new Redis(auth.context.config.REDIS_URL);
    const told: string[] = [];
    subscriber.on('message', (_channel: string, text: string) => told.push(text));
    await until('a connection', () => subscriber.status === 'ready');
    await subscriber.subscribe(redisKeys.live(namespace(), mid));
    await revoke(mine.refresh_token);
    await until('a message', () => told.length > 0);
    subscriber.disconnect();
    expect(new Set(told)).toEqual(new Set([`ended ${family}`]));
  });
});
