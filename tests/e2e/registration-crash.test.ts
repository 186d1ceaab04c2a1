import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startStackUnderTest, type StackUnderTest } from '@covalence/testing/stack-under-test';
import { withDatabases } from '@covalence/testing/with-databases';
import { until } from '@covalence/testing/until';
import { hash } from '@node-rs/bcrypt';
import request from 'supertest';
import { v7 } from 'uuid';
import { createCrashProxy, type CrashProxy, type Moment } from './support/crash-proxy.ts';
import { dueNow, gone, liveOn, remove, tracesOf } from './support/erasure.ts';
import { as, male, registerMember, registration, type TestMember } from './support/members.ts';
import { tokensBySignIn } from './support/sign-in.ts';

const steps = ['/internal/accounts/reserve', '/internal/accounts/confirm', '/internal/codes'];
const moments: Moment[] = ['before', 'after'];
const services = ['profile', 'auth'] as const;

const cases = services.flatMap((service) =>
  steps.flatMap((step) => moments.map((moment) => [service, moment, step] as const)),
);

describe('a crash in the middle', () => {
  let stack: StackUnderTest;
  let proxy: CrashProxy;

  beforeAll(async () => {
    proxy = await createCrashProxy(() => stack.service('auth').url);
    stack = await startStackUnderTest({
      members: 0,
      env: { AUTH_URL: proxy.url, ERASURE_POLL_MS: '500' },
    });
  });
  afterAll(async () => {
    await stack?.stop();
    proxy?.close();
  });

  const register = (parameters: Record<string, unknown>) =>
    request(stack.url).post('/members').send(parameters).timeout(20_000);

  /** The own record of a member who signs in with these credentials. */
  const recordOf = async ({ username, password }: Record<string, unknown>) => {
    const login = { username: String(username), password: String(password) };
    const tokens = await tokensBySignIn(stack.url, stack.demo, login, { siteid: '1' });
    const { body } = await as(stack.url, { tokens }).get('/users/self').expect(200);
    return body as { username: string; email: string };
  };

  /** Ages claims and pending accounts beyond the ten seconds of a registration in progress. */
  const letTimePass = () =>
    withDatabases(async (connection) => {
      const before = new Date(Date.now() - 11_000);
      const auth = connection.useDb(`${stack.namespace}-auth`);
      await auth.collection('claims').updateMany({}, { $set: { at: before } });
      await auth.collection('accounts').updateMany({ status: 'pending' }, { $set: { created_at: before } });
    });

  it.each(cases)(
    'of a registration: %s dies %s %s: the name is registered or can be, and account and member go together',
    async (service, moment, step) => {
      const parameters = registration(stack.demo);
      proxy.arm(step, moment, () => stack.service(service).kill('SIGKILL'));
      const first = await register(parameters).catch((error: unknown) => error);
      expect(proxy.crashed()).toBe(true);
      expect((first as { status?: number }).status).not.toBe(200);
      await stack.service(service).restart();
      await letTimePass();

      // Either the first attempt has created the member and its account, or a second attempt does.
      const settled = await until(
        'the second try is settled',
        async () => {
          const { status, body } = await register(parameters);
          if (status === 200) return 'registered';
          expect([403, 503]).toContain(status);
          const taken = status === 403 && body.failcode?.includes(10101);
          return taken && (await recordOf(parameters).catch(() => undefined)) ? 'was there' : undefined;
        },
        30_000,
      );
      expect(['registered', 'was there']).toContain(settled);
      await expect(recordOf(parameters)).resolves.toMatchObject({
        username: parameters['username'],
        email: parameters['email'],
      });
    },
    60_000,
  );

  const imports: [(typeof services)[number], Moment, string][] = [
    ['auth', 'after', '/internal/accounts/import'],
    ['profile', 'after', '/internal/accounts/import'],
    ['auth', 'before', '/internal/accounts/import/confirm'],
    ['profile', 'after', '/internal/accounts/import/confirm'],
  ];
  it.each(imports)(
    '%s dies %s %s of an import: the same import again brings everybody, with account and member',
    async (service, moment, step) => {
      const people = Array.from({ length: 5 }, () => registration(stack.demo));
      const members = await Promise.all(
        people.map(async ({ client_id: _id, client_secret: _secret, password, ...parameters }) => ({
          member_id: v7(),
          parameters: { ...parameters, password_hash: await hash(String(password), { cost: 4 }) },
        })),
      );
      const send = () => stack.peer('profile').importMembers({ members });
      proxy.arm(step, moment, () => stack.service(service).kill('SIGKILL'));
      await expect(send()).rejects.toMatchObject({ name: 'PeerUnavailable' });
      expect(proxy.crashed()).toBe(true);
      await stack.service(service).restart();
      const { imported, refused } = await until('the second import', send);
      expect(refused).toEqual([]);
      expect(imported).toHaveLength(people.length);
      for (const person of people) {
        await expect(recordOf(person)).resolves.toMatchObject({ username: person['username'] });
      }
    },
    60_000,
  );
  describe('of an erasure', () => {
    let other: TestMember;
    const erasePath = '/internal/members/erase';
    beforeAll(async () => {
      // Distinct numbers, so that a trace belongs to this member.
      await withDatabases((connection) =>
        connection
          .useDb(`${stack.namespace}-profile`)
          .collection<{ _id: string; last: number }>('counters')
          .updateOne({ _id: 'member' }, { $set: { last: 730_000_000 } }, { upsert: true }),
      );
      stack.service('profile').kill('SIGKILL');
      await stack.service('profile').restart();
      other = await registerMember(stack.url, stack.demo, male);
    });

    it('exports, deletes, restores by a sign-in, deletes again, and erases everything after 30 days', async () => {
      const nora = await registerMember(stack.url, stack.demo);
      const stems = await liveOn(stack, nora, other);
      const { body } = await as(stack.url, nora).get('/members/self/export').expect(200);
      expect(body).toMatchObject({
        id: nora.id,
        account: { username: nora.username },
        sign_ins: [{ client_id: stack.demo.client_id }],
        saved_searches: [{ name: 'Near me' }],
        match_criteria: { criteria: { smoking: { values: [10] } } },
        membership: { membership_status: 'active' },
        ledger: [{ kind: 'purchase' }],
        relations: [{ profileid: other.id, covalence: 'mutual' }],
        messages: [{ profileid: other.id, messages: [{ text: 'Do you keep bees?' }] }],
        live_updates: expect.arrayContaining([expect.objectContaining({ type: 'mutual' })]),
        index: { id: nora.id },
      });
      stack.service('updates').kill('SIGKILL');
      await as(stack.url, nora).get('/members/self/export').expect(503, { fail: 'Service Unavailable' });
      await stack.service('updates').restart();

      await remove(stack, nora).expect(200);
      await as(stack.url, nora).get('/users/self').expect(403, { fail: 'Deactivated' });
      const enter = () => tokensBySignIn(stack.url, stack.demo, nora, { siteid: '1' }, 2);
      const tokens = await enter();
      const back = await as(stack.url, { tokens }).get('/users/self').expect(200);
      expect(back.body).toMatchObject({ id: nora.id, photo_count: 1, membership_status: 'active' });

      await remove(stack, { tokens }).expect(200);
      expect((await tracesOf(stack, nora, stems)).length).toBeGreaterThan(15);
      await dueNow(stack, nora);
      await gone(stack, nora, stems);
      await expect(enter()).rejects.toThrow('not signed in: 200');
      const { body: threads } = await as(stack.url, other).get('/messages').expect(200);
      expect(threads.threads).toEqual([]);
      const again = registration(stack.demo, { username: nora.username, email: body.account.email });
      await register(again).then(({ status }) => expect(status).toBe(200));
    });

    it.each([
      ['profile', 'after'],
      ['auth', 'before'],
    ] as const)(
      '%s dies %s it: the erasure goes on by itself, and nothing is left',
      async (service, moment) => {
        const member = await registerMember(stack.url, stack.demo);
        await as(stack.url, member).post('/like', { profileid: other.id }).expect(200);
        await remove(stack, member).expect(200);
        proxy.arm(erasePath, moment, () => stack.service(service).kill('SIGKILL'));
        await dueNow(stack, member);
        await until('the crash', () => proxy.crashed());
        await stack.service(service).restart();
        await expect(gone(stack, member)).resolves.toBe(true);
      },
      60_000,
    );
  });
});
