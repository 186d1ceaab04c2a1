import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { startAuth, type AuthUnderTest } from './auth-under-test.ts';
import { destination, type Browser } from './browser.ts';
import type { TestMember } from './people.ts';

const wrongOnes = 60;

describe('sign-in while many wrong passwords come', () => {
  let auth: AuthUnderTest;
  let members: TestMember[];
  beforeAll(async () => {
    auth = await startAuth('loginload');
    members = [];
    for (let count = 0; count < 12; count += 1) members.push(await auth.addMember());
  });
  afterAll(() => auth.close());

  const open = async (browser: Browser) => browser.begin(auth.client, { siteid: '1' });

  it('keeps the wrong out, lets the right in, and answers everything else meanwhile', async () => {
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
});
