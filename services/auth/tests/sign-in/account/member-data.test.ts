import { failCodes } from '@covalence/contract/failure-codes';
import { Failure, invalidArgument, tooManyRequests } from '@covalence/contract/failure';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { startService, type ServiceUnderTest } from '../../harness.ts';
import { destination, formOf, type Browser } from '../../support/browser.ts';
import type { TestMember } from '../../support/people.ts';

const minutes = 60_000;
const pages = ['/account/email', '/account/export', '/account/delete'];

describe('the pages of a member’s email address, data and deletion', () => {
  let auth: ServiceUnderTest;
  let member: TestMember;
  let browser: Browser;
  beforeAll(async () => {
    auth = await startService('memberdata');
  });
  afterAll(() => auth.close());

  const signedIn = async (who: TestMember) => {
    const own = auth.browser('192.0.2.9');
    await own.signIn(auth.client, who);
    return own;
  };
  beforeEach(async () => {
    auth.profile.calls.length = 0;
    auth.profile.answer = () => ({});
    member = await auth.addMember();
    browser = await signedIn(member);
  });
  /** Sends a form of a page with its CSRF token. */
  const send = async (path: string, fields: Record<string, string>): Promise<Response> => {
    const { csrf = '' } = formOf(await browser.open(path)).fields;
    return browser.post(path, { csrf, ...fields });
  };
  const change = (email: string) => send('/account/email', { action: 'change', email });
  const seen = () => ({ memberId: member.member_id, id: member.id, siteid: 1 });

  it('are linked from the page of the account, which shows the address in whole', async () => {
    const page = await browser.open('/account');
    expect(page.text).toContain(member.email);
    for (const path of pages) expect(page.text).toContain(`href="${path}"`);
  });

  it('change the address as an app does: by the interface, counted for the member’s network address', async () => {
    const page = await change(' new@mail.example ');
    expect(page.text).toContain('Open the link that we sent to new@mail.example');
    expect(auth.profile.calls).toEqual([
      {
        path: 'POST /members/self',
        input: { email: 'new@mail.example' },
        caller: { ...seen(), family: undefined, methods: ['pwd'] },
        address: '192.0.2.9',
      },
    ]);
  });

  it('show a change that waits, and withdraw it', async () => {
    const { member_id, email } = member;
    const request = { member_id, email: 'waits@mail.example' };
    await auth.internal('/internal/accounts/change-email', request).expect(200);
    expect((await browser.open('/account/email')).text).toContain('A change to waits@mail.example waits');
    await send('/account/email', { action: 'keep' });
    expect(auth.profile.calls).toMatchObject([{ input: { email } }]);
  });

  it.each([
    [failCodes.updatedEmailTaken, 'There is an account with this email address already'],
    [failCodes.updatedEmailInvalid, 'Please enter an email address like'],
  ])('say at the field that an address is refused with %d', async (code, text) => {
    auth.profile.answer = () => {
      throw invalidArgument(code);
    };
    const page = await change('taken@mail.example');
    expect(page.text).toContain(text);
    expect(page.text).toMatch(/value="taken@mail.example"[^>]* aria-invalid="true" autofocus/);
  });

  it('pass on the limits of the interface, and that profile is down', async () => {
    auth.profile.answer = () => {
      throw tooManyRequests(120);
    };
    for (const [path, fields] of [
      ['/account/email', { action: 'change', email: 'another@mail.example' }],
      ['/account/export', {}],
    ] as const) {
      const page = await send(path, fields);
      expect([page.status, page.get('Retry-After')]).toEqual([429, '120']);
      expect(page.text).toContain('try again in 2 min');
    }
    auth.profile.answer = () => {
      throw new Error('broken');
    };
    const page = await send('/account/delete', { confirm: 'yes' });
    expect([page.status, page.text]).toEqual([503, expect.stringContaining('not available right now')]);
  });

  it('lead to the sign-in when it has become too old for the interface', async () => {
    auth.profile.answer = () => {
      throw new Failure(401, 'Unauthorized');
    };
    for (const path of pages) {
      const page = await send(path, { action: 'change', email: 'late@mail.example', confirm: 'yes' });
      expect([page.status, page.text]).toEqual([200, expect.stringContaining('name="password"')]);
    }
  });

  it('hand out the data as a file that no cache keeps', async () => {
    auth.profile.answer = () => ({ everything: 'Lakes & <walks>' });
    const file = await send('/account/export', {});
    expect(file.body).toEqual({ everything: 'Lakes & <walks>' });
    expect(file.headers).toMatchObject({
      'content-disposition': `attachment; filename="account-${member.id}.json"`,
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
    });
    expect(auth.profile.calls).toMatchObject([{ path: 'GET /members/self/export', caller: seen() }]);
  });

  it('delete the account after a confirmation only, and say until when it can come back', async () => {
    auth.profile.answer = () => ({ erased_after: '2031-03-04T10:00:00.000Z' });
    const asked = await browser.open('/account/delete');
    expect(asked.text).toContain('After 30 days: everything is erased');
    const unconfirmed = await send('/account/delete', {});
    expect(unconfirmed.text).toMatch(/name="confirm"[^>]* aria-invalid="true" autofocus/);
    expect(auth.profile.calls).toEqual([]);
    const done = await send('/account/delete', { confirm: 'yes' });
    expect(done.text).toContain('Everything is erased on Mar 4, 2031');
    expect(auth.profile.calls).toMatchObject([{ path: 'DELETE /members/self', caller: seen() }]);
  });

  it.each(pages)('%s needs a recent sign-in, and a form of its own session', async (path) => {
    const fields = { action: 'change', email: 'thief@mail.example', confirm: 'yes' };
    const { csrf = '' } = formOf(await browser.open(path)).fields;
    const stranger = await auth.addMember();
    const thief = await signedIn(stranger);
    expect((await thief.post(path, { ...fields, csrf })).status).toBe(403);
    expect((await browser.post(path, fields)).status).toBe(403);
    await auth.later(11 * minutes, async () => {
      expect((await browser.post(path, { ...fields, csrf })).text).toContain('name="password"');
      const page = await browser.open(path);
      expect(page.text).toContain('name="password"');
      expect(page.text).not.toContain(member.email);
      const { username: login, password } = member;
      // After the sign-in the page is back.
      expect(destination(await browser.submit(page, { login, password })).pathname).toBe(path);
    });
    const nobody = await auth.browser().post(path, { ...fields, csrf });
    expect(nobody.text).toContain('name="password"');
    expect(auth.profile.calls).toEqual([]);
  });
});
