import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@covalence/testing/until';
import request from 'supertest';
import { v7 } from 'uuid';
import type { Passwords } from '../../../src/accounts/passwords/passwords.ts';
import { startService, type ServiceUnderTest } from '../../harness.ts';
import { destination, type Browser } from '../../support/browser.ts';
import type { TestMember } from '../../support/people.ts';

const wrongOnes = 60;
const newcomers = 12;

/**
 * Occupies every hashing thread until `open()`, so that all jobs of a test wait before the first one starts. `waiting()`
 * is their number, `order` has their clients in the order of the results.
 */
function holdHashing({ context }: ServiceUnderTest) {
  const { passwords } = context.accounts;
  const original = { ...passwords };
  const gate = Promise.withResolvers<void>();
  const order: string[] = [];
  let waiting = 0;
  const noted = async <Result>(client: string, work: Promise<Result>): Promise<Result> => {
    waiting += 1;
    const result = await work;
    order.push(client);
    return result;
  };
  const holders = Array.from({ length: context.config.HASHES_AT_ONCE }, () =>
    original.inTurn(() => gate.promise),
  );
  const held: Pick<Passwords, 'inTurn' | 'hash'> = {
    inTurn: (work, client = '') => noted(client, original.inTurn(work, client)),
    hash: (password, client = '') => noted(client, original.hash(password, client)),
  };
  Object.assign(passwords, held);
  return {
    order,
    waiting: () => waiting,
    async open() {
      Object.assign(passwords, original);
      gate.resolve();
      await Promise.all(holders);
    },
  };
}

describe('sign-in during many wrong passwords', () => {
  let auth: ServiceUnderTest;
  let members: TestMember[];
  beforeAll(async () => {
    auth = await startService('loginload');
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

    const hashing = holdHashing(auth);
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
    await until('all passwords wait', () => hashing.waiting() === wrongOnes + 1);
    for (let count = 0; count < 10; count += 1) await request(auth.server).get('/jwks').expect(200);
    await hashing.open();
    while (!storming.signal.aborted) await request(auth.server).get('/jwks').expect(200);

    const wrong = await storm;
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
    const own = auth.browser('192.0.2.3');
    const form = await open(own);
    const register = (name: string, address: string) =>
      auth.internal('/internal/accounts/reserve', {
        member_id: v7(),
        id: 90_000,
        siteid: 1,
        username: name,
        email: `${name}@mail.example`,
        password: 'quiet-meadow-77',
        password_minimum: 8,
        address,
      });
    const hashing = holdHashing(auth);
    const many = Promise.all(
      Array.from({ length: newcomers }, (_, index) => register(`newcomer${index}`, '192.0.2.1')),
    );
    await until('the registrations wait', () => hashing.waiting() === newcomers);
    const entry = { login: members[0]?.username ?? '', password: members[0]?.password ?? '' };
    const others = Promise.all([own.submit(form, entry), register('elsewhere', '192.0.2.2')]);
    await until('the others wait', () => hashing.waiting() === newcomers + 2);
    await hashing.open();

    const [signedIn, registered] = await others;
    expect(destination(signedIn).searchParams.get('code')).toBeTruthy();
    expect(registered.status).toBe(200);
    // A registration that waits too long for its turn is told to try again.
    for (const { status } of await many) expect([200, 503]).toContain(status);
    // In one queue for all, both would have come last.
    const { order } = hashing;
    for (const client of ['192.0.2.3', '192.0.2.2']) {
      expect(order).toContain(client);
      expect(order.indexOf(client)).toBeLessThan(newcomers / 2);
    }
  });
});
