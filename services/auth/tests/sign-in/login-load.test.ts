import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@covalence/testing/until';
import request from 'supertest';
import { v7 } from 'uuid';
import { startAuth, type AuthUnderTest } from '../harness.ts';
import { destination, type Browser } from '../support/browser.ts';
import type { TestMember } from '../support/people.ts';

const wrongOnes = 60;
const newcomers = 20;

describe('sign-in during many wrong passwords', () => {
  let auth: AuthUnderTest;
  let members: TestMember[];
  beforeAll(async () => {
    auth = await startAuth('loginload');
    members = [];
    for (let count = 0; count < 12; count += 1) members.push(await auth.addMember());
  });
  afterAll(() => auth.close());

  const open = async (browser: Browser) => browser.begin(auth.client, { siteid: '1' });

  it('rejects wrong passwords, accepts correct ones, and keeps answering other requests', async () => {
    const [rightful, ...targets] = members;
    if (!rightful) throw new Error('no member');
    const opened = await Promise.all(
      Array.from({ length: wrongOnes }, async () => {
        const browser = auth.browser();
        return { browser, page: await open(browser) };
      }),
    );
    const own = auth.browser();
    const form = await open(own);

    const storming = new AbortController();
    const storm = Promise.all(
      opened.map(({ browser, page }, index) =>
        browser.submit(page, {
          login: targets[index % targets.length]?.username ?? '',
          password: `wrong ${index}`,
        }),
      ),
    ).finally(() => storming.abort());
    const entered = own.submit(form, { login: rightful.username, password: rightful.password });
    const others: number[] = [];
    while (!storming.signal.aborted) others.push((await request(auth.server).get('/jwks')).status);

    const wrong = await storm;
    // 60 hashes, one for each core at a time, last longer than a few answers: the event loop was free for them.
    expect(others.length).toBeGreaterThan(10);
    expect(new Set(others)).toEqual(new Set([200]));
    expect(wrong.filter((answer) => answer.get('Location') !== undefined)).toEqual([]);
    // Refused for the password, or by the limit of five per account; never with an error.
    expect(new Set(wrong.map((answer) => answer.status))).toEqual(new Set([200, 429]));
    for (const answer of wrong) {
      expect(answer.text).toContain('role="alert"');
      expect(answer.get('Retry-After') === undefined).toBe(answer.status === 200);
    }
    expect(destination(await entered).searchParams.get('code')).toBeTruthy();
  });

  it('serves a sign-in and another registration before many registrations of one address', async () => {
    const own = auth.browser();
    const form = await open(own);
    let done = 0;
    const register = (name: string, address: string) =>
      auth
        .internal('/internal/accounts/reserve', {
          member_id: v7(),
          id: 90_000,
          siteid: 1,
          username: name,
          email: `${name}@mail.example`,
          password: 'quiet-meadow-77',
          password_minimum: 8,
          address,
        })
        .then(({ status }) => (done += Number(status === 200)));
    const many = Promise.all(
      Array.from({ length: newcomers }, (_, index) => register(`newcomer${index}`, '192.0.2.1')),
    );
    await until('some have registered', () => done > 4);
    const entry = { login: members[0]?.username ?? '', password: members[0]?.password ?? '' };
    const answers = [
      own.submit(form, entry).then(({ status }) => [status, done]),
      register('elsewhere', '192.0.2.2').then(() => [200, done]),
    ];
    for (const [status, before] of await Promise.all(answers)) {
      expect([200, 303]).toContain(status);
      // In one line for all, both would have come last.
      expect(before).toBeLessThan(newcomers * 0.7);
    }
    await many;
    expect(done).toBe(newcomers + 1);
  });
});
