import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { startService, type ServiceUnderTest } from '../../harness.ts';
import type { TestMember } from '../../support/people.ts';
import { destination, type Browser } from '../../support/browser.ts';

describe('limits of sign-in attempts', () => {
  let auth: ServiceUnderTest;
  beforeAll(async () => {
    auth = await startService('attempts', {
      environment: {
        LOGIN_FAILURES_PER_ADDRESS: '12',
        LOGIN_FAILURES_PER_DEVICE: '8',
        HASHES_AT_ONCE: '4',
      },
    });
  });
  afterAll(() => auth.close());

  const attempt = async (
    browser: Browser,
    login: string,
    password: string,
    parameters: { siteid?: string; prompt?: string } = { siteid: '1' },
  ) => browser.submit(await browser.begin(auth.client, parameters), { login, password });
  const fail = async (browser: Browser, member: TestMember, times: number) => {
    for (let count = 0; count < times; count += 1) {
      expect((await attempt(browser, member.username, `wrong ${count}`)).status).toBe(200);
    }
  };

  it('answers the sixth attempt on an account 429 with Retry-After, even with the correct password or another login', async () => {
    const member = await auth.addMember();
    await fail(auth.browser(), member, 5);
    for (const login of [member.username, member.email]) {
      const limited = await attempt(auth.browser(), login, member.password);
      expect(limited.status).toBe(429);
      const seconds = Number(limited.get('Retry-After'));
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(900);
      expect(limited.text).toContain('role="alert"');
    }
    const other = await auth.addMember();
    expect(
      destination(await attempt(auth.browser(), other.username, other.password)).searchParams.get('code'),
    ).toBeTruthy();
    const { values } = await auth.context.metrics.securityEvents.get();
    const counted = values.map(({ labels: { event, reason }, value }) => [
      `${event} ${reason}`.trim(),
      value,
    ]);
    expect(Object.fromEntries(counted)).toMatchObject({
      'sign_in_failed wrong': 5,
      sign_in_limited: 2,
      sign_in: 1,
    });
  });

  it('lets the member in on a known device, with its own limit', async () => {
    const member = await auth.addMember();
    const own = auth.browser();
    await own.signIn(auth.client, member);
    await fail(auth.browser(), member, 5);
    expect((await attempt(auth.browser(), member.username, member.password)).status).toBe(429);
    const page = { siteid: '1', prompt: 'login' };
    expect(
      destination(await attempt(own, member.username, member.password, page)).searchParams.get('code'),
    ).toBeTruthy();
    for (let count = 0; count < 8; count += 1) {
      expect((await attempt(own, member.username, 'wrong', page)).status).toBe(200);
    }
    expect((await attempt(own, member.username, member.password, page)).status).toBe(429);
  });

  it('does not accept a device cookie of another browser or account', async () => {
    const [member, other] = [await auth.addMember(), await auth.addMember()];
    const otherBrowser = auth.browser();
    await otherBrowser.signIn(auth.client, other);
    await fail(auth.browser(), member, 5);
    const page = { siteid: '1', prompt: 'login' };
    expect((await attempt(otherBrowser, member.username, member.password, page)).status).toBe(429);
    const forger = auth.browser();
    forger.cookie('_device', `${'A'.repeat(22)}.${'B'.repeat(43)}`);
    expect((await attempt(forger, member.username, member.password)).status).toBe(429);
  });

  it('limits unknown logins in the same way', async () => {
    for (let count = 0; count < 5; count += 1) {
      expect((await attempt(auth.browser(), 'nobody', 'wrong')).status).toBe(200);
    }
    expect((await attempt(auth.browser(), 'Nobody', 'wrong')).status).toBe(429);
  });

  it.each([
    ['on its site, then on all', ['1', '1', '1', '1', '1', '']],
    ['on another site, then on all', ['2', '2', '2', '2', '2', '', '1']],
    ['on all, then on each', ['', '', '', '', '', '1', '2']],
    ['here and there', ['1', '2', '', '1', '', '2', '1', '', '2']],
  ])('does not reveal by its limits whether a login exists: %s', async (_where, sites) => {
    const member = await auth.addMember();
    const statusesOf = async (login: string) => {
      const statuses: number[] = [];
      for (const siteid of sites) {
        const parameters = siteid ? { siteid } : {};
        statuses.push((await attempt(auth.browser(), login, 'wrong', parameters)).status);
      }
      return statuses;
    };
    const known = await statusesOf(member.username);
    expect(known).toContain(429);
    expect(await statusesOf(`nobody${member.username}`)).toEqual(known);
  });

  it('makes the same store calls and comparisons for an unknown login as for a wrong password', async () => {
    const member = await auth.addMember();
    const { accounts } = auth.context;
    const { attempts, claims, passwords } = accounts;
    const own = { ...passwords };
    let compared = 0;
    const counting: typeof own.inTurn = (work) =>
      own.inTurn((compare) =>
        work((...entered) => {
          compared += 1;
          return compare(...entered);
        }),
      );
    const spies = [
      jest.spyOn(claims, 'find'),
      jest.spyOn(accounts, 'findMany'),
      jest.spyOn(attempts, 'secondsToWait'),
      jest.spyOn(attempts, 'fail'),
      jest.spyOn(passwords, 'inTurn').mockImplementation(counting),
    ];
    const callsFor = async (login: string) => {
      for (const spy of spies) spy.mockClear();
      compared = 0;
      expect((await attempt(auth.browser('192.0.2.78'), login, 'wrong')).status).toBe(200);
      return [...spies.map((spy) => spy.mock.calls.length), compared];
    };
    const known = await callsFor(member.username);
    const unknown = await callsFor('nobody at all');
    for (const spy of spies) spy.mockRestore();
    expect(unknown).toEqual(known);
    expect(known).toEqual([1, 1, 1, 2, 1, 1]);
  });

  it('limits a network address, and no other', async () => {
    const address = '192.0.2.77';
    for (let count = 0; count < 12; count += 1) {
      expect((await attempt(auth.browser(address), `nobody${count}`, 'wrong')).status).toBe(200);
    }
    const member = await auth.addMember();
    expect((await attempt(auth.browser(address), member.username, member.password)).status).toBe(429);
    expect((await attempt(auth.browser(), member.username, member.password)).status).toBe(303);
  });

  it('does not let concurrent attempts exceed the limit, and does not count successes', async () => {
    const member = await auth.addMember();
    const right = await Promise.all(
      Array.from({ length: 8 }, () => attempt(auth.browser(), member.username, member.password)),
    );
    expect(right.map((answer) => answer.status)).toEqual(Array.from({ length: 8 }, () => 303));
    const wrong = await Promise.all(
      Array.from({ length: 12 }, () => attempt(auth.browser(), member.username, 'wrong')),
    );
    const checked = wrong.filter((answer) => answer.status === 200).length;
    expect(checked).toBeGreaterThanOrEqual(5);
    // The last that is allowed may be one of as many as are hashed at once.
    expect(checked).toBeLessThanOrEqual(4 + auth.context.config.HASHES_AT_ONCE);
  });
});
