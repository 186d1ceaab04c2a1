import {
  createSoftwareAuthenticator,
  type AuthenticatorLies,
  type SoftwarePasskey,
} from '@covalence/testing/software-authenticator';
import type { Response } from 'supertest';
import { unescapeHtml, type Browser } from './browser.ts';

/** The authenticator of a test's browsers, at the address of the service under test. */
export const authenticator = createSoftwareAuthenticator('http://auth.test');

/** The options for the authenticator in a page. */
export function optionsOf(page: Response): string {
  const found = /data-options="([^"]*)"/.exec(page.text)?.[1];
  if (found === undefined) throw new Error(`no passkey on this page (${page.status}): ${page.text}`);
  return unescapeHtml(found);
}

/** Adds a passkey on a page that offers one. */
export async function addPasskey(
  browser: Browser,
  page: Response,
  lies: AuthenticatorLies = {},
): Promise<{ passkey: SoftwarePasskey; page: Response }> {
  const { passkey, answer } = authenticator.create(optionsOf(page), lies);
  const fields = { action: 'add', credential: answer };
  return { passkey, page: await browser.submit(page, fields) };
}

/** Answers the login form with a passkey. */
export const enterPasskey = (
  browser: Browser,
  page: Response,
  passkey: SoftwarePasskey,
  lies: AuthenticatorLies = {},
): Promise<Response> =>
  browser.submit(page, { credential: authenticator.get(optionsOf(page), passkey, lies) });
