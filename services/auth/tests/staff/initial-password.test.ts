import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Response } from 'supertest';
import { startService, type ServiceUnderTest } from '../harness.ts';
import { destination, formOf, type Browser } from '../support/browser.ts';
import { addPasskey, enterPasskey } from '../support/passkeys.ts';
import type { TestClient } from '../support/people.ts';
import { alertOf, codeOf, keyIn, nextOf, titleOf } from '../support/second-factor.ts';

const given = 'copper-lantern-7';
const own = 'quiet-meadow-77';
const stepMs = 30_000;
const dayMs = 24 * 60 * 60 * 1000;

/** Sets an app up, on the page that asks for it. */
async function setUp(browser: Browser, page: Response) {
  expect(titleOf(page)).toBe('Protect your account');
  const key = keyIn(page);
  const end = await browser.open(nextOf(await browser.submit(page, { code: codeOf(key) })));
  expect(destination(end).searchParams.get('code')).toBeTruthy();
  return key;
}

describe('a password that was generated for a staff account', () => {
  let auth: ServiceUnderTest;
  let client: TestClient;
  beforeAll(async () => {
    auth = await startService('initial-password', { environment: { STAFF_SECOND_FACTOR: 'required' } });
    client = await auth.createClient({ staff: true });
  });
  afterAll(() => auth.close());

  const set = (path: 'create' | 'password', username: string) =>
    auth
      .internal(`/internal/staff/${path}`, { username, password: given, initial: true, roles: {} })
      .expect(200);
  const enter = async (username: string, password: string, browser: Browser = auth.browser()) =>
    browser.submit(await browser.begin(client, { prompt: 'login' }), { login: username, password });

  it('opens nothing but the choice of another one, before the first factor is set up', async () => {
    await set('create', 'grace');
    const browser = auth.browser();
    const page = await enter('grace', given, browser);
    expect([titleOf(page), page.text]).toEqual([
      'New password',
      expect.stringContaining('must be replaced now. Choose one that nobody else knows'),
    ]);
    for (const [refused, why] of [
      [given, 'that you were given'],
      ['password1', 'too common'],
      ['grace-and-more', 'your username'],
    ] as const) {
      const again = await browser.submit(page, { password: refused });
      expect([titleOf(again), alertOf(again)]).toEqual(['New password', expect.stringContaining(why)]);
    }
    const record = jest.spyOn(auth.context.security, 'record');
    const next = await browser.submit(page, { password: own });
    const staff = expect.stringMatching(/^[\da-f-]{36}$/);
    expect(record.mock.calls).toEqual([
      [
        'staff_changed',
        { staff, client: client.client_id, address: expect.any(String), reason: 'own_password' },
      ],
    ]);
    record.mockRestore();
    await setUp(browser, next);
    expect((await enter('grace', given)).text).toContain('name="login"');
    expect(titleOf(await enter('grace', own))).toBe('Confirm that it is you');
    // The form works once.
    const late = await browser.submit(page, { password: 'another-meadow-78' });
    expect([late.get('Location'), titleOf(late)]).toEqual([undefined, 'Sign in']);
    expect(titleOf(await enter('grace', own))).toBe('Confirm that it is you');
  });

  it('is replaced after the factor that the account has', async () => {
    await set('create', 'alan');
    const browser = auth.browser();
    const first = await browser.submit(await enter('alan', given, browser), { password: own });
    const key = await setUp(browser, first);
    await set('password', 'alan');
    const asked = await enter('alan', given, browser);
    expect(titleOf(asked)).toBe('Confirm that it is you');
    // The proof of the password alone replaces nothing.
    const { csrf = '', proof = '' } = formOf(asked).fields;
    const action = formOf(asked).action.replace(/factor$/, 'password');
    expect(titleOf(await browser.post(action, { csrf, proof, password: own }))).toBe('Sign in');
    await auth.later(stepMs, async () => {
      const other = auth.browser();
      const opened = await enter('alan', given, other);
      const again = await enter('alan', given, browser);
      const page = await browser.submit(again, { code: codeOf(key, Date.now() + stepMs) });
      expect(titleOf(page)).toBe('New password');
      const end = await browser.submit(page, { password: own });
      expect(destination(end).searchParams.get('code')).toBeTruthy();
      // A form that was opened with the former password ends with it.
      await auth.later(stepMs, async () => {
        const late = await other.submit(opened, { code: codeOf(key, Date.now() + 2 * stepMs) });
        expect([late.get('Location'), titleOf(late)]).toEqual([undefined, 'Sign in']);
      });
    });
  });

  it('is not replaced by a form that an operator has signed out meanwhile', async () => {
    await set('create', 'edith');
    const browser = auth.browser();
    const page = await enter('edith', given, browser);
    const { passwords } = auth.context.accounts;
    const hash = passwords.hash.bind(passwords);
    const hashing = jest.spyOn(passwords, 'hash').mockImplementationOnce(async (...call) => {
      await auth.internal('/internal/staff/roles', { username: 'edith', roles: {} }).expect(200);
      return hash(...call);
    });
    expect(titleOf(await browser.submit(page, { password: own }))).toBe('Sign in');
    hashing.mockRestore();
    expect(titleOf(await enter('edith', given))).toBe('New password');
  });

  it('is not replaced by its form while an operator sets another one', async () => {
    await set('create', 'radia');
    const browser = auth.browser();
    const page = await enter('radia', given, browser);
    const { accounts } = auth.context;
    const write = accounts.setStaffPassword.bind(accounts);
    const titles: unknown[] = [];
    const writing = jest.spyOn(accounts, 'setStaffPassword').mockImplementationOnce(async (...call) => {
      titles.push(titleOf(await browser.submit(page, { password: own })));
      return write(...call);
    });
    await set('password', 'radia');
    writing.mockRestore();
    expect(titles).toEqual(['Sign in']);
  });

  it('is replaced after a recovery code too, before the factor that the code sets up', async () => {
    await set('create', 'ada');
    const { body } = await auth.internal('/internal/staff/factor/reset', { username: 'ada' }).expect(200);
    const { code } = body as { code: string };
    const browser = auth.browser();
    const page = await browser.submit(await enter('ada', given, browser), { code });
    expect(titleOf(page)).toBe('New password');
    await setUp(browser, await browser.submit(page, { password: own }));
    expect(titleOf(await enter('ada', given))).toBe('Sign in');
    expect(titleOf(await enter('ada', own))).toBe('Confirm that it is you');
  });

  it('is replaced after a passkey too, which signs in without it once it has expired', async () => {
    await set('create', 'barbara');
    const browser = auth.browser();
    const first = await browser.submit(await enter('barbara', given, browser), { password: own });
    const { passkey } = await addPasskey(browser, first);
    await set('password', 'barbara');
    const page = await enterPasskey(browser, await enter('barbara', given, browser), passkey);
    expect(titleOf(page)).toBe('New password');
    const end = await browser.submit(page, { password: own });
    expect(destination(end).searchParams.get('code')).toBeTruthy();
    expect(titleOf(await enter('barbara', own))).toBe('Confirm that it is you');
    await set('password', 'barbara');
    await auth.later(3 * dayMs, async () => {
      const late = await enterPasskey(browser, await browser.begin(client, { prompt: 'login' }), passkey);
      expect(destination(late).searchParams.get('code')).toBeTruthy();
    });
  });

  it('expires after three days', async () => {
    await set('create', 'joan');
    await auth.later(3 * dayMs - 60_000, async () =>
      expect(titleOf(await enter('joan', given))).toBe('New password'),
    );
    const record = jest.spyOn(auth.context.security, 'record');
    await auth.later(3 * dayMs, async () => expect(titleOf(await enter('joan', given))).toBe('Sign in'));
    expect(record).toHaveBeenCalledWith('sign_in_failed', expect.objectContaining({ reason: 'expired' }));
    record.mockRestore();
  });

  it('is not asked for again when an operator has chosen a password', async () => {
    await set('create', 'mary');
    const chosen = { username: 'mary', password: own };
    await auth.internal('/internal/staff/password', chosen).expect(200);
    expect(titleOf(await enter('mary', own))).toBe('Protect your account');
  });
});
