import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { startService, type ServiceUnderTest } from '../../harness.ts';
import {
  begin,
  comeBack,
  enter,
  openPage,
  redirectUri,
  startChromium,
} from '../../support/chromium-under-test.ts';

describe('edge cases of the hosted pages in a browser', () => {
  let auth: ServiceUnderTest;
  let browser: Browser;
  beforeAll(async () => {
    auth = await startService('pageedges');
    browser = await startChromium(auth);
  });
  afterAll(async () => {
    await browser?.close();
    await auth?.close();
  });

  it('redirect to a program at the IPv6 loopback address', async () => {
    const redirect_uri = 'http://[::1]:8976/back';
    const { client_id } = await auth.createClient({ redirect_uri });
    const member = await auth.addMember();
    const page = await openPage(browser);
    const query = new URLSearchParams({ client_id, redirect_uri, response_type: 'code' });
    await page.goto(`/authorize?${query.toString()}`);
    const back = page.waitForRequest((request) => request.url().startsWith(`${redirect_uri}?code=`));
    await enter(page, member);
    expect((await back).method()).toBe('GET');
  });

  it('focus the password after a wrong one, and mark no field when there were too many', async () => {
    const member = await auth.addMember();
    const page = await openPage(browser);
    const { client_id, redirect_uri } = auth.client;
    const query = new URLSearchParams({ client_id, redirect_uri, response_type: 'code', siteid: '1' });
    await page.goto(`/authorize?${query.toString()}`);
    for (let turn = 0; turn < 5; turn += 1) {
      await enter(page, { ...member, password: 'not-the-password' });
      await page.getByRole('alert').waitFor();
      expect(await page.locator(':focus').getAttribute('id')).toBe('password');
    }
    await page.getByLabel('Password', { exact: true }).fill('not-the-password');
    await page.getByLabel('Password', { exact: true }).press('Enter');
    await page.getByText('too many attempts').first().waitFor();
    expect(await page.locator('[aria-invalid]').count()).toBe(0);
    expect(await page.locator(':focus').getAttribute('role')).toBe('alert');
  });

  it('report a password that is too long instead of truncating it', async () => {
    const member = await auth.addMember();
    const { client_id, redirect_uri } = auth.client;
    const page = await openPage(browser);
    const query = new URLSearchParams({ client_id, redirect_uri, response_type: 'code', siteid: '1' });
    await page.goto(`/authorize?${query.toString()}`);
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.getByLabel('Username or email').fill(member.email);
    await page.getByRole('button').click();
    await page.goto((await auth.mailbox.wait(member.email, 'Choose a new password')).path);
    const password = page.getByLabel('New password');
    await password.fill('wide-harbour-'.repeat(20));
    await page.getByRole('button').click();
    expect(await page.getByRole('alert').textContent()).toContain('too long');
    expect(await page.locator('#rules').textContent()).toContain('8 to 256 characters');
    await password.fill('wide-harbour-'.repeat(19));
    await page.getByRole('button').click();
    await page.getByRole('heading', { name: 'Your password was changed' }).waitFor();
  });

  it('let a signed-in member continue in another app or use another account, by keyboard alone', async () => {
    const [first, second] = [
      await auth.createClient({ redirect_uri: redirectUri }),
      await auth.createClient({ redirect_uri: redirectUri }),
    ];
    const member = await auth.addMember();
    const page = await openPage(browser);
    await begin(page, first, { siteid: '1' });
    await enter(page, member);
    await comeBack(page);
    await begin(page, second, { siteid: '1' });
    await page.getByRole('heading', { name: `Continue as ${member.username}` }).waitFor();
    await page.getByRole('link', { name: 'Use another account' }).click();
    await page.getByLabel('Password', { exact: true }).waitFor();
    await page.goBack();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect((await comeBack(page)).get('code')).toBeTruthy();
  });
});
