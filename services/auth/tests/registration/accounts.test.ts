import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@covalence/testing/until';
import request from 'supertest';
import { v7 } from 'uuid';
import { routes } from '../../src/routes.ts';
import { startService, type ServiceUnderTest } from '../harness.ts';
import { destination } from '../support/browser.ts';
import { runJobs } from '../support/run-jobs.ts';

const refused = (...failcode: number[]) => ({ fail: 'Invalid Argument', failcode });

describe('accounts', () => {
  let auth: ServiceUnderTest;
  beforeAll(async () => {
    auth = await startService('accounts');
  });
  afterAll(() => auth.close());

  let next = 5000;
  const registration = (overrides: Record<string, unknown> = {}) => {
    next += 1;
    return {
      member_id: v7(),
      id: next,
      siteid: 1,
      username: `user${next}`,
      email: `user${next}@mail.example`,
      password: 'violet-harbour-42',
      password_minimum: 8,
      ...overrides,
    };
  };
  const reserve = (input: object) => auth.internal('/internal/accounts/reserve', input);
  const check = (input: object) =>
    auth.internal('/internal/accounts/check', { siteid: 1, password_minimum: 8, ...input }).expect(200);
  const confirm = (member_id: string) => auth.internal('/internal/accounts/confirm', { member_id });
  const loginPage = async (login: string, password: string) => {
    const browser = auth.browser();
    return browser.submit(await browser.begin(auth.client, { siteid: '1' }), { login, password });
  };

  it('rejects calls without a service token', async () => {
    const closed = Object.entries(routes).filter(([, { access }]) => access !== 'public');
    for (const [route] of closed) {
      const [method = '', path = ''] = route.toLowerCase().split(' ');
      const call = request(auth.server)[method as 'get' | 'post' | 'delete'](path);
      const answer = await call.send(registration()).expect(401);
      expect(answer.get('WWW-Authenticate')).toContain('Bearer');
    }
  });

  it('are reserved, confirmed, and then sign in with the code of the registration', async () => {
    const input = registration();
    await reserve(input).expect(200, { id: input.id });
    expect((await loginPage(input.username, input.password)).text).toContain('role="alert"');
    await auth
      .internal('/internal/codes', { member_id: input.member_id, client_id: auth.client.client_id })
      .expect(403);
    await confirm(input.member_id).expect(200, {});
    await confirm(input.member_id).expect(200, {});
    auth.profile.members.set(input.member_id, { id: input.id, deactivated: false, suspended: false });
    const answer = await auth
      .internal('/internal/codes', { member_id: input.member_id, client_id: auth.client.client_id })
      .expect(200);
    const { code } = answer.body as { code: string };
    const pair = await auth.token({ ...auth.client, grant_type: 'authorization_code', code }).expect(200);
    expect(Object.keys(pair.body as object)).toHaveLength(4);
    await auth.token({ ...auth.client, grant_type: 'authorization_code', code }).expect(400);
    expect(destination(await loginPage(input.email, input.password)).searchParams.get('code')).toBeTruthy();
  });

  it('keeps usernames and email addresses unique per site, ignoring case', async () => {
    const first = registration({ username: 'ÉloÏse', email: 'Eloise@Mail.example' });
    await reserve(first).expect(200);
    const same = { username: 'éloïse', email: 'ELOISE@mail.example' };
    await confirm(first.member_id).expect(200);
    await reserve(registration(same)).expect(403, refused(10101, 10302));
    await reserve(registration({ username: same.username })).expect(403, refused(10101));
    await reserve(registration({ email: same.email })).expect(403, refused(10302));
    await reserve(registration({ ...same, siteid: 2 })).expect(200);
    // A failed reservation keeps nothing.
    await reserve(registration({ username: 'eloise2', email: same.email })).expect(403);
    expect((await reserve(registration({ username: 'eloise2' }))).status).toBe(200);
  });

  it('accepts exactly one of many concurrent registrations of a name', async () => {
    const sameName = Array.from({ length: 6 }, () => registration({ username: 'wanted' }));
    const byName = await Promise.all(sameName.map((input) => reserve(input)));
    expect(byName.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([
      200, 403, 403, 403, 403, 403,
    ]);
    const both = { username: 'wanted2', email: 'wanted2@mail.example' };
    const same = Array.from({ length: 6 }, () => registration(both));
    const byBoth = await Promise.all(same.map((input) => reserve(input)));
    expect(byBoth.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([
      200, 403, 403, 403, 403, 403,
    ]);
  });

  it('is idempotent by member_id, concurrently and in sequence', async () => {
    const input = registration();
    const answers = await Promise.all([reserve(input), reserve(input), reserve(input)]);
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200]);
    await confirm(input.member_id).expect(200);
    await reserve(input).expect(200);
  });

  it.each([
    ['too short', 'a-b-c-7', 8],
    ['too long', 'x'.repeat(257), 8],
    ['the username', 'VioletHarbour', 8],
    ['the username and more', 'my-violetharbour-7', 8],
    ['the email address', 'Violet@mail.example', 8],
    ['the local part of the email and more', 'ultra-violet-7', 8],
    ['the name of the site and more', 'my-heartland-7', 8],
    ['a pattern', 'abcd1234', 8],
    ['a common one', 'Password1', 8],
    ['a common one in fullwidth letters', 'Ｐａｓｓｗｏｒｄ１', 8],
  ])('refuses a password that is %s: 10201', async (_name, password, password_minimum) => {
    const names = { username: 'violetharbour', email: 'violet@mail.example' };
    await reserve(registration({ ...names, password, password_minimum })).expect(403, refused(10201));
    const answer = await auth.internal('/internal/accounts/check', {
      siteid: 1,
      ...names,
      password,
      password_minimum,
    });
    expect(answer.body).toEqual({ failcode: [10201] });
  });

  it('accepts a password of 4 characters if the site allows it, and of 256 characters', async () => {
    await reserve(registration({ password: 'vh%4', password_minimum: 4 })).expect(200);
    expect((await reserve(registration({ password: 'übermut!'.repeat(32) }))).status).toBe(200);
  });

  it('checks only the fields of the request and stores nothing', async () => {
    const taken = registration();
    await reserve(taken).expect(200);
    expect((await check({})).body).toEqual({ failcode: [] });
    const names = { username: taken.username, email: taken.email };
    expect((await check(names)).body).toEqual({ failcode: [10101, 10302] });
    expect((await check({ ...names, password: 'x' })).body).toEqual({ failcode: [10201] });
    expect((await check({ ...names, look_up_names: false })).body).toEqual({ failcode: [] });
    await reserve(registration({ ...names, password: 'x' })).expect(403, refused(10201));
    const free = { username: 'stillfree', email: 'stillfree@mail.example' };
    expect((await check(free)).body).toEqual({ failcode: [] });
    await reserve(registration(free)).expect(200);
  });

  it('takes over the names of an abandoned registration, after asking profile', async () => {
    const abandoned = registration({ username: 'abandoned', email: 'abandoned@mail.example' });
    await reserve(abandoned).expect(200);
    const again = registration({ username: 'Abandoned', email: 'abandoned@mail.example' });
    // It may still be under way.
    await reserve(again).expect(403, refused(10101, 10302));
    expect(auth.profile.settled).not.toContain(abandoned.member_id);
    await auth.later(11_000, () => reserve(again).expect(200));
    expect(auth.profile.settled).toContain(abandoned.member_id);
    await confirm(abandoned.member_id).expect(404);
    await confirm(again.member_id).expect(200);
  });

  it('gives an abandoned name to exactly one of many concurrent requests', async () => {
    const abandoned = registration({ username: 'abandoned2' });
    await reserve(abandoned).expect(200);
    await auth.later(11_000, async () => {
      const many = Array.from({ length: 5 }, () => registration({ username: 'abandoned2' }));
      const answers = await Promise.all(many.map((input) => reserve(input)));
      expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([
        200, 403, 403, 403, 403,
      ]);
    });
  });

  it('confirms a pending account whose member exists, at a retry and at sign-in', async () => {
    const lost = registration({ username: 'lostconfirm' });
    await reserve(lost).expect(200);
    auth.profile.members.set(lost.member_id, { id: lost.id, deactivated: false, suspended: false });
    await auth.later(11_000, () =>
      reserve(registration({ username: 'lostconfirm' })).expect(403, refused(10101)),
    );
    expect(destination(await loginPage(lost.username, lost.password)).searchParams.get('code')).toBeTruthy();
    const lost2 = registration({ username: 'lostconfirm2' });
    await reserve(lost2).expect(200);
    auth.profile.members.set(lost2.member_id, { id: lost2.id, deactivated: false, suspended: false });
    await auth.later(11_000, async () => {
      expect(
        destination(await loginPage(lost2.username, lost2.password)).searchParams.get('code'),
      ).toBeTruthy();
    });
  });

  it('issues no tokens while profile is down', async () => {
    const abandoned = registration({ username: 'abandoned3' });
    await reserve(abandoned).expect(200);
    await auth.later(11_000, async () => {
      auth.profile.away = true;
      await reserve(registration({ username: 'abandoned3' })).expect(503);
      auth.profile.away = false;
      expect((await reserve(registration({ username: 'abandoned3' }))).status).toBe(200);
    });
  });

  it('resolves abandoned registrations periodically', async () => {
    const [gone, there] = [registration({ username: 'reaped' }), registration({ username: 'kept' })];
    await reserve(gone).expect(200);
    await reserve(there).expect(200);
    auth.profile.members.set(there.member_id, { id: there.id, deactivated: false, suspended: false });
    await auth.later(61_000, () => auth.runJobs());
    expect(await auth.context.accounts.find(gone.member_id)).toBeUndefined();
    expect(await auth.context.accounts.find(there.member_id)).toMatchObject({ status: 'active' });
    await reserve(registration({ username: 'reaped' })).expect(200);
    await reserve(registration({ username: 'kept' })).expect(403, refused(10101));
  });

  it('leaves remaining accounts to other processes on shutdown', async () => {
    for (let count = 0; count < 5; count += 1) await reserve(registration()).expect(200);
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    const { context } = auth;
    const asked: unknown[] = [];
    const profile = {
      ...context.profile,
      settleMember: (body: unknown) => {
        asked.push(body);
        return answered.then(() => ({ exists: true }));
      },
    };
    await auth.later(61_000, async () => {
      let isStopping = false;
      const round = runJobs({ ...context, profile }, () => Promise.resolve(!isStopping));
      await until('profile is asked', () => asked.length > 0);
      isStopping = true;
      answer();
      await round;
    });
    expect(asked).toHaveLength(1);
  });

  it('resolves the other registrations when one fails', async () => {
    const [stuck, there] = [registration(), registration()];
    for (const one of [stuck, there]) await reserve(one).expect(200);
    const { context } = auth;
    const profile = {
      ...context.profile,
      settleMember: ({ member_id }: { member_id: string }) =>
        member_id === stuck.member_id
          ? Promise.reject(new Error('profile answered 500'))
          : Promise.resolve({ exists: true }),
    };
    await auth.later(61_000, () => runJobs({ ...context, profile }));
    expect(await context.accounts.find(stuck.member_id)).toMatchObject({ status: 'pending' });
    expect(await context.accounts.find(there.member_id)).toMatchObject({ status: 'active' });
    expect((await context.metrics.failedRounds.get()).values).toEqual([
      { labels: { work: 'abandoned-registrations' }, value: 1 },
    ]);
  });

  describe('changes', () => {
    it('keeps the current username for sign-in until the new one is applied, and then releases it', async () => {
      const member = await auth.addMember({ username: 'oldname' });
      const { member_id, password } = member;
      await auth.addMember({ username: 'somebody' });
      const claim = (username: string) =>
        auth.internal('/internal/accounts/claim-username', { member_id, username });
      await claim('Somebody').expect(403, refused(10101));
      await claim('firstwish').expect(200);
      await claim('newname').expect(200);
      // Only the last wish is kept.
      await reserve(registration({ username: 'firstwish' })).expect(200);
      await reserve(registration({ username: 'NewName' })).expect(403, refused(10101));
      expect((await loginPage('newname', password)).text).toContain('role="alert"');
      expect(destination(await loginPage('oldname', password)).searchParams.get('code')).toBeTruthy();
      const apply = () =>
        auth
          .internal('/internal/accounts/apply-username', { member_id, username: 'newname' })
          .expect(200, {});
      await apply();
      await apply();
      expect(destination(await loginPage('newname', password)).searchParams.get('code')).toBeTruthy();
      expect((await loginPage('oldname', password)).text).toContain('role="alert"');
      await reserve(registration({ username: 'oldname' })).expect(200);
    });

    it.each([
      ['a wish comes while the one before is approved', 'setUsername'],
      ['the one before is approved while a wish comes', 'setPendingUsername'],
    ] as const)('keeps both names claimed when %s', async (_what, method) => {
      const member = await auth.addMember();
      const { member_id, username: first, password } = member;
      const [second, third] = [`${first}second`, `${first}third`];
      const claim = (username: string) =>
        auth.internal('/internal/accounts/claim-username', { member_id, username }).expect(200);
      const apply = () =>
        auth.internal('/internal/accounts/apply-username', { member_id, username: second }).expect(200);
      await claim(second);
      const wish = () => claim(third);
      const [one, other] = method === 'setUsername' ? [apply, wish] : [wish, apply];
      const { accounts } = auth.context;
      const original = { ...accounts };
      const afterTheOther = async (...input: [never, never]) => {
        Object.assign(accounts, original);
        await other();
        await original[method](...input);
      };
      Object.assign(accounts, { [method]: afterTheOther });
      await one();
      for (const username of [second, third])
        expect((await check({ username })).body).toEqual({ failcode: [10101] });
      expect((await check({ username: first })).body).toEqual({ failcode: [] });
      expect(destination(await loginPage(second, password)).searchParams.get('code')).toBeTruthy();
      expect(await accounts.find(member_id)).toMatchObject({ pending_username: third });
    });

    it('answers 404 for an unknown account', async () => {
      const { status } = await auth.internal('/internal/accounts/emails', { member_id: v7() });
      expect(status).toBe(404);
    });
  });

  it('replaces a hash with outdated parameters at sign-in', async () => {
    const weak = '$argon2id$v=19$m=4096,t=1,p=1$';
    const { hash } = await import('@node-rs/argon2');
    const member = await auth.addMember();
    const before = await hash(member.password, { memoryCost: 4096, timeCost: 1, parallelism: 1 });
    expect(before.startsWith(weak)).toBe(true);
    await auth.context.connection
      .collection<{ _id: string }>('accounts')
      .updateOne({ _id: member.member_id }, { $set: { password_hash: before } });
    expect(
      destination(await loginPage(member.username, member.password)).searchParams.get('code'),
    ).toBeTruthy();
    await auth.context.afterResponse.drained();
    const account = await auth.context.accounts.find(member.member_id);
    expect(account?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(
      destination(await loginPage(member.username, member.password)).searchParams.get('code'),
    ).toBeTruthy();
  });
});
