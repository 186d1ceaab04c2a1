import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startStackUnderTest, type StackUnderTest } from '@covalence/testing/stack-under-test';
import { until } from '@covalence/testing/until';
import { importMembers } from '@covalence/contract/internal/profile-api';
import { hash } from '@node-rs/bcrypt';
import request from 'supertest';
import { v7 } from 'uuid';
import { createCrashProxy, type CrashProxy, type Moment } from './support/crash-proxy.ts';
import { as, registration } from './support/members.ts';
import { signIn, tokensFor } from './support/sign-in.ts';

const steps = ['/internal/accounts/reserve', '/internal/accounts/confirm', '/internal/codes'];
const moments: Moment[] = ['before', 'after'];
const parts = ['profile', 'auth'] as const;

const cases = parts.flatMap((part) =>
  steps.flatMap((step) => moments.map((moment) => [part, moment, step] as const)),
);

describe('a crash in the middle of a registration', () => {
  let stack: StackUnderTest;
  let proxy: CrashProxy;

  beforeAll(async () => {
    proxy = await createCrashProxy(() => stack.service('auth').url);
    stack = await startStackUnderTest({ members: 0, env: { AUTH_URL: proxy.url } });
  }, 120_000);
  afterAll(async () => {
    await stack?.stop();
    proxy?.close();
  });

  const register = (parameters: Record<string, unknown>) =>
    request(stack.url).post('/members').send(parameters).timeout(20_000);

  /** The own record of whoever signs in with these credentials on the hosted pages. */
  const recordOf = async ({ username, password }: Record<string, unknown>) => {
    const back = await signIn(stack.url, stack.demo, String(username), String(password), { siteid: '1' });
    const tokens = await tokensFor(stack.url, stack.demo, back.get('code') ?? '');
    const { body } = await as(stack.url, { tokens }).get('/users/self').expect(200);
    return body as { username: string; email: string };
  };

  it.each(cases)(
    '%s dies %s %s: the name is registered or can be, and account and member go together',
    async (part, moment, step) => {
      const parameters = registration(stack.demo);
      proxy.arm(step, moment, () => stack.service(part).kill('SIGKILL'));
      const first = await register(parameters).catch((error: unknown) => error);
      expect(proxy.crashed()).toBe(true);
      expect((first as { status?: number }).status).not.toBe(200);
      await stack.service(part).restart();

      // Either the first try went through as far as the member, which then has its account, or a second try does.
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

  const imports: [(typeof parts)[number], Moment, string][] = [
    ['auth', 'after', '/internal/accounts/import'],
    ['profile', 'after', '/internal/accounts/import'],
    ['auth', 'before', '/internal/accounts/import/confirm'],
    ['profile', 'after', '/internal/accounts/import/confirm'],
  ];
  it.each(imports)(
    '%s dies %s %s of an import: the same import again brings everybody, with account and member',
    async (part, moment, step) => {
      const people = Array.from({ length: 5 }, () => registration(stack.demo));
      const members = await Promise.all(
        people.map(async ({ client_id: _id, client_secret: _secret, password, ...parameters }) => ({
          member_id: v7(),
          parameters: { ...parameters, password_hash: await hash(String(password), { cost: 4 }) },
        })),
      );
      const send = () =>
        stack.peer('profile').call('/internal/members/import', { members }, importMembers.output);
      proxy.arm(step, moment, () => stack.service(part).kill('SIGKILL'));
      await expect(send()).rejects.toMatchObject({ name: 'PeerUnavailable' });
      expect(proxy.crashed()).toBe(true);
      await stack.service(part).restart();
      const { imported, refused } = await until('the second import', send, 30_000);
      expect(refused).toEqual([]);
      expect(imported).toHaveLength(people.length);
      for (const person of people) {
        await expect(recordOf(person)).resolves.toMatchObject({ username: person['username'] });
      }
    },
    60_000,
  );
});
