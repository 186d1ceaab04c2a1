import { Secret, TOTP } from 'otpauth';
import type { Response } from 'supertest';
import { unescapeHtml, type Browser } from './browser.ts';

const found = (page: Response, pattern: RegExp): string => {
  const text = pattern.exec(page.text)?.[1];
  if (text === undefined)
    throw new Error(`${pattern.source} is not on this page (${page.status}): ${page.text}`);
  return unescapeHtml(text);
};

/** The key for an authenticator app on a page. */
export const keyIn = (page: Response): string =>
  found(page, /<p class="code">([A-Z2-7 ]+)</).replaceAll(' ', '');

/** The code of the app with a key, by default now. */
export const codeOf = (key: string, ms = Date.now()): string =>
  new TOTP({ secret: Secret.fromBase32(key) }).generate({ timestamp: ms });

/** Six digits that the app does not show around this time. */
export function wrongCodeOf(key: string): string {
  const near = [-60_000, -30_000, 0, 30_000, 60_000].map((ms) => codeOf(key, Date.now() + ms));
  return (
    ['111111', '222222', '333333', '444444', '555555', '666666'].find((one) => !near.includes(one)) ?? ''
  );
}

/** The recovery codes on a page. */
export const recoveryCodesIn = (page: Response): string[] =>
  [...page.text.matchAll(/<li class="code">([A-Z2-7-]+)</g)].map(([, code]) => code ?? '');

/** The target of a page's button. */
export const nextOf = (page: Response): string => found(page, /<a class="button(?: plain)?" href="([^"]*)"/);

/** Heading and message of a page. */
export const titleOf = (page: Response) => /<h1>([^<]*)</.exec(page.text)?.[1];
export const alertOf = (page: Response) => /role="alert"[^>]*>([^<]*)</.exec(page.text)?.[1];

/** Turns two-step sign-in on, in a browser of the member; the key of the app, the code that was used, and the recovery codes. */
export async function turnOn(browser: Browser): Promise<{ key: string; code: string; codes: string[] }> {
  const page = await browser.open('/account/two-step');
  const key = keyIn(page);
  const code = codeOf(key);
  return { key, code, codes: recoveryCodesIn(await browser.submit(page, { code })) };
}
