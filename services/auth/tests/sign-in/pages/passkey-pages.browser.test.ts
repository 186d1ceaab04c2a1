/// <reference lib="dom" />
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { until } from '@covalence/testing/until';
import { beginRecovery } from '../../../src/sign-in/methods/recovery.ts';
import { startService, type ServiceUnderTest } from '../../harness.ts';
import {
  comeBack,
  faultsOf,
  openPage,
  redirectUri,
  screens,
  startChromium,
} from '../../support/chromium-under-test.ts';
import type { TestClient, TestMember } from '../../support/people.ts';

const path = '/account/passkeys';

/** Browsers allow passkeys at localhost without https. */
const issuer = 'http://auth.localhost';

/** A virtual authenticator that verifies its member at once. */
async function addAuthenticator(page: Page): Promise<{ session: CDPSession; authenticatorId: string }> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { session, authenticatorId };
}

const enterPassword = async (page: Page, { username, password }: TestMember) => {
  await page.locator('[name=login]').fill(username);
  await page.locator('[name=password]').fill(password);
  await page.locator('[name=password]').press('Enter');
};

describe('passkeys in a browser', () => {
  let auth: ServiceUnderTest;
  let browser: Browser;
  let client: TestClient;
  beforeAll(async () => {
    auth = await startService('passkeybrowser', { environment: { AUTH_PUBLIC_URL: issuer } });
    client = await auth.createClient({ redirect_uri: redirectUri });
    browser = await startChromium(auth);
  });
  afterAll(async () => {
    await browser?.close();
    await auth?.close();
  });

  const open = (options: Parameters<typeof openPage>[1] = {}) =>
    openPage(browser, { baseURL: issuer, viewport: screens.phone, ...options });
  const begin = (page: Page, parameters: Record<string, string> = {}) => {
    const { client_id } = client;
    const query = { client_id, redirect_uri: redirectUri, response_type: 'code', siteid: '1', ...parameters };
    return page.goto(`/authorize?${new URLSearchParams(query).toString()}`);
  };
  it('are added, fill in the login form, and sign in with a button by keyboard alone', async () => {
    const member = await auth.addMember();
    const page = await open();
    const { session, authenticatorId } = await addAuthenticator(page);
    // Nobody picks a passkey before the member has one.
    await session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: false });
    await page.goto(path);
    await enterPassword(page, member);
    await session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: true });
    await page.getByRole('heading', { name: 'Sign in faster next time' }).waitFor();
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('heading', { name: 'Chrome, Linux' }).waitFor();
    expect((await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials).toHaveLength(1);
    await page.getByLabel('Name of the passkey').fill('My phone');
    await page.getByRole('button', { name: 'Save name' }).click();
    await page.getByRole('heading', { name: 'My phone' }).waitFor();
    expect(await page.locator(':focus').textContent()).toBe('The name is saved.');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('This device already has a passkey of your account.').waitFor();

    // Conditional mediation: the authenticator answers without a button.
    await page.context().clearCookies();
    await begin(page);
    expect((await comeBack(page)).get('code')).toBeTruthy();

    await session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: false });
    await page.context().clearCookies();
    await begin(page);
    const button = page.getByRole('button', { name: 'Sign in with a passkey' });
    await button.focus();
    await session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: true });
    await page.keyboard.press('Enter');
    expect((await comeBack(page)).get('code')).toBeTruthy();
    await page.context().close();
  });

  it('are forgotten by the password manager once removed, and not offered again after a refusal', async () => {
    const member = await auth.addMember();
    const page = await open();
    const { session, authenticatorId } = await addAuthenticator(page);
    await session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: false });
    await page.goto(path);
    await enterPassword(page, member);
    await page.getByRole('link', { name: 'Not now' }).click();
    await session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: true });
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('The passkey is added.').waitFor();
    const kept = async () => (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials;
    const [credential] = await kept();
    if (!credential) throw new Error('no passkey');
    await page.locator('summary').click();
    await page.getByRole('button', { name: 'Remove passkey' }).click();
    await page.getByText('The passkey is removed').waitFor();
    await until('it is forgotten', async () => (await kept()).length === 0);

    // A manager that was not told offers it once more.
    await session.send('WebAuthn.addCredential', { authenticatorId, credential });
    await page.context().clearCookies();
    await begin(page);
    await page.getByText('This passkey does not sign in here.').waitFor();
    await until('it is forgotten', async () => (await kept()).length === 0);
    expect(await page.getByRole('alert').isVisible()).toBe(true);
    await page.context().close();
  });

  it.each(['en_US', 'es_ES', 'de_DE', 'fr_FR', 'el_GR', 'tr_TR'])(
    'have pages that fit the smallest phone, and have no fault, in %s',
    async (locale) => {
      const member = await auth.addMember();
      const { member_id, id } = member;
      auth.profile.members.set(member_id, { id, deactivated: false, suspended: false, locale });
      const page = await open({
        viewport: screens.small,
        colorScheme: locale === 'de_DE' ? 'dark' : 'light',
      });
      const { session, authenticatorId } = await addAuthenticator(page);
      await session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: false });
      const look = async () => {
        return {
          lang: await page.evaluate(() => document.documentElement.lang),
          isTooWide: (await page.evaluate(() => document.documentElement.scrollWidth)) > screens.small.width,
          faults: await faultsOf(page),
        };
      };
      await page.goto(`${path}?siteid=1&locale=${locale}`);
      await page.locator('form[data-passkey] button').waitFor();
      const found = [await look()];
      await enterPassword(page, member);
      await page.getByRole('link').waitFor();
      found.push(await look());
      await session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: true });
      await page.locator('form[data-passkey=create] button').click();
      await page.locator('section').waitFor();
      found.push(await look());

      // The notice of a recovery that waits, which one key stops.
      const account = await auth.context.accounts.find(member_id);
      if (!account) throw new Error('no such account');
      await beginRecovery(account, auth.context);
      await page.context().clearCookies();
      await begin(page, { locale });
      const stop = page.locator('form[action$="/recovery"] button');
      await stop.waitFor();
      found.push(await look());
      await stop.focus();
      await page.keyboard.press('Enter');
      expect((await comeBack(page)).get('code')).toBeTruthy();
      expect(await auth.context.accounts.find(member_id)).not.toHaveProperty('recovery');
      const good = { lang: locale.replace('_', '-'), isTooWide: false, faults: [] };
      expect(found).toEqual([good, good, good, good]);
      await page.context().close();
    },
  );

  it('do not show without JavaScript, where a password signs in', async () => {
    const member = await auth.addMember();
    const page = await open({ javaScriptEnabled: false });
    await begin(page);
    expect(await page.locator('form[data-passkey]').isVisible()).toBe(false);
    await enterPassword(page, member);
    expect((await comeBack(page)).get('code')).toBeTruthy();
    await page.context().close();
  });
});
