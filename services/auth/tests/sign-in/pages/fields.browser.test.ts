/// <reference lib="dom" />
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { resetPath } from '../../../src/sign-in/password/reset-link.ts';
import { startService, type ServiceUnderTest } from '../../harness.ts';
import {
  begin,
  enter,
  faultsOf,
  openPage,
  redirectUri,
  screens,
  startChromium,
} from '../../support/chromium-under-test.ts';
import { addPasskey } from '../../support/passkeys.ts';
import type { TestClient, TestMember } from '../../support/people.ts';
import { startProviders, storeLink, type TestProviders } from '../../support/providers.ts';

const sites = new URL('../../../../../config/sites.json', import.meta.url);

const documents = { terms_url: 'https://site.example/terms', privacy_url: 'https://site.example/privacy' };

describe('the fields of the hosted pages', () => {
  let auth: ServiceUnderTest;
  let providers: TestProviders;
  let browser: Browser;
  let client: TestClient;
  let member: TestMember;
  let page: Page;
  let folder: string;
  beforeAll(async () => {
    providers = await startProviders();
    folder = mkdtempSync(join(tmpdir(), 'sites-'));
    const [site] = z.array(z.looseObject({})).parse(JSON.parse(readFileSync(sites, 'utf8')));
    const SITES_FILE = join(folder, 'sites.json');
    writeFileSync(SITES_FILE, JSON.stringify([{ ...site, ...documents, required_fields: ['language'] }]));
    const settings = { ...providers.settings, SITES_FILE, MAIL_REQUESTS_PER_ADDRESS: '1' };
    auth = await startService('fields', { environment: settings });
    client = await auth.createClient({ redirect_uri: redirectUri });
    browser = await startChromium(auth);
    member = await auth.addMember();
    page = await openPage(browser, { viewport: screens.phone });
    await storeLink(auth, member, 'fields');
    const other = auth.browser();
    const { username, password } = member;
    const signedIn = await other.submit(await other.open('/account/passkeys'), { login: username, password });
    await addPasskey(other, await other.open(new URL(signedIn.get('Location') ?? '').pathname));
  });
  afterAll(async () => {
    await browser?.close();
    await auth?.close();
    providers?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const accountOf = async () => {
    const account = await auth.context.accounts.find(member.member_id);
    if (!account) throw new Error('no such account');
    return account;
  };

  const login = () => begin(page, client, { siteid: '1', prompt: 'login' });
  const openReset = async () => page.goto(await resetPath(await accountOf(), 'en_US', auth.context));
  const openAccount = async (path: string) => {
    await page.goto(path);
    if (await page.locator('[name=login]').count()) await enter(page, member);
  };

  it.each<[string, () => Promise<unknown>, number]>([
    ['login', login, 1],
    ['new password', openReset, 1],
    ['change of the password', () => openAccount('/account/password'), 2],
    ['registration', () => begin(page, client, { siteid: '1', prompt: 'create' }), 1],
  ])(
    'show the password of the %s form on request, and hide it before it is sent',
    async (_name, open, count) => {
      await open();
      const fields = page.locator('input[type=password]');
      expect(await fields.count()).toBe(count);
      for (let index = 0; index < count; index += 1) await fields.nth(index).fill('quiet-meadow-77');
      const shown = page.locator('input[autocomplete$=password][type=text]');
      await page.getByLabel('Show password').press('Space');
      expect(await shown.count()).toBe(count);
      expect(await shown.first().inputValue()).toBe('quiet-meadow-77');
      expect(await shown.first().getAttribute('spellcheck')).toBe('false');
      expect(await faultsOf(page)).toEqual([]);
      await page.evaluate(() => {
        const form = document.querySelector('form');
        form?.addEventListener('submit', (event) => event.preventDefault());
        form?.setAttribute('novalidate', '');
        form?.requestSubmit();
      });
      expect([await shown.count(), await fields.count()]).toEqual([0, count]);
    },
  );

  it.each([
    ['login', 'login', 'en_US', 'Terms of use', 'Privacy policy'],
    ['registration', 'create', 'en_US', 'Terms of use', 'Privacy policy'],
    ['registration', 'create', 'de_DE', 'Nutzungsbedingungen', 'Datenschutzerklärung'],
  ])(
    'link to the documents of the site on the %s page, beside the form',
    async (_page, prompt, locale, ...names) => {
      await begin(page, client, { siteid: '1', prompt, locale });
      const links = page.locator('footer a');
      expect(await links.allTextContents()).toEqual(names);
      expect(await links.evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).href))).toEqual([
        documents.terms_url,
        documents.privacy_url,
      ]);
      expect(await links.evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).target))).toEqual([
        '_blank',
        '_blank',
      ]);
      // The registration page says that registering accepts the terms.
      expect(await page.getByText(/accept the terms|stimmst du den Nutzungsbedingungen zu/).count()).toBe(
        prompt === 'create' ? 1 : 0,
      );
      expect(await faultsOf(page)).toEqual([]);
    },
  );

  /** Sends the form of the page with these entries, which the browser itself would not send. */
  const send = async (entries: Record<string, string>, button = 'form button') => {
    await page.evaluate(() =>
      document.querySelectorAll('form').forEach((form) => form.setAttribute('novalidate', '')),
    );
    for (const [name, text] of Object.entries(entries))
      await page
        .locator(`input[name="${name}"]`)
        .evaluateAll((fields, value) => fields.forEach((field) => field.setAttribute('value', value)), text);
    await page.locator(button).first().click();
    await page.getByRole('alert').first().waitFor();
  };

  /** The focused element: its name, its mark, and the messages that describe it. */
  const focused = () =>
    page.evaluate(() => {
      const element = document.activeElement;
      const ids = element?.getAttribute('aria-describedby')?.split(' ') ?? [];
      return {
        name: element?.getAttribute('name') ?? element?.getAttribute('role'),
        invalid: element?.getAttribute('aria-invalid') ?? null,
        why: document.getElementById(ids[0] ?? '')?.textContent ?? element?.textContent,
      };
    });

  it.each<[string, () => Promise<unknown>, Record<string, string>, string, string, string]>([
    ['login', login, { login: 'nobody', password: 'no' }, 'password', 'do not match', 'form button'],
    [
      'new password',
      openReset,
      { password: 'short' },
      'password',
      'Please choose another one',
      'form button',
    ],
    [
      'change, without the current password',
      () => openAccount('/account/password'),
      { current: 'wrong', password: 'quiet-meadow-77' },
      'current',
      'not your current password',
      'form button',
    ],
    [
      'change, with a bad new one',
      () => openAccount('/account/password'),
      { current: 'any', password: 'short' },
      'password',
      'Please choose another one',
      'form button',
    ],
    [
      'passkey',
      () => openAccount('/account/passkeys'),
      { name: ' ' },
      'name',
      'not valid',
      'button[value=rename]',
    ],
  ])('have the focus when they are in error: %s', async (_what, open, entries, name, why, button) => {
    await open();
    await send(entries, button);
    expect(await focused()).toEqual({ name, invalid: 'true', why: expect.stringContaining(why) });
    expect(await faultsOf(page)).toEqual([]);
  });

  it('have the focus when too many mails are asked for', async () => {
    await login();
    await page.goto(`${new URL(page.url()).pathname}/forgotten`);
    const asked = page.url();
    await page.locator('[name=login]').fill('nobody');
    await page.locator('form button').click();
    await page.getByRole('heading', { name: 'Check your email' }).waitFor();
    await page.goto(asked);
    await send({ login: 'nobody' });
    expect(await focused()).toMatchObject({ name: 'login', invalid: 'true' });
  });

  it('leave the focus to the message when none of them is in error', async () => {
    await openAccount('/account/passkeys');
    await page.locator('details > summary').first().click();
    await send({ csrf: 'stale' }, 'button[value=remove]');
    expect(await focused()).toMatchObject({
      name: 'alert',
      why: expect.stringContaining('too long'),
    });
    await openAccount('/account');
    await send({ csrf: 'stale' }, 'button[value=unlink]');
    expect(await focused()).toMatchObject({
      name: 'alert',
      why: expect.stringContaining('too long'),
    });
  });

  it('mark every box of a group in error, and put the focus on the first', async () => {
    auth.profile.register = () => Promise.resolve({ failed: { language: 20_000 }, abandoned: false });
    await begin(page, client, { siteid: '1', prompt: 'create' });
    await send({});
    expect(await focused()).toEqual({
      name: 'language',
      invalid: 'true',
      why: 'This entry is not valid.',
    });
    const boxes = page.locator('[name=language]');
    expect(await page.locator('[name=language][aria-invalid=true]').count()).toBe(await boxes.count());
    expect(await faultsOf(page)).toEqual([]);
  });
});
