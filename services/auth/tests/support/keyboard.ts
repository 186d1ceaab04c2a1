/// <reference lib="dom" />
import type { Page } from 'playwright-core';

/** Moves the focus to an element with the keyboard. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let steps = 0; steps < 30; steps += 1) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${selector} cannot be reached by keyboard`);
}

/** Types into a field by its name. */
export async function type(page: Page, name: string, text: string): Promise<void> {
  await tabTo(page, `[name=${name}]`);
  await page.keyboard.type(text);
}

/** Presses a button, or follows a link. */
export async function press(page: Page, selector: string): Promise<void> {
  await tabTo(page, selector);
  await page.keyboard.press('Enter');
}

/** Types everything that the registration page asks for, in the order of the page; no `email` where it is there already. */
export async function typeRegistration(
  page: Page,
  { username, email }: { readonly username: string; readonly email?: string },
): Promise<void> {
  const entries = [
    ['gender', 'F'],
    ['gender_preference', 'M'],
    ['date_of_birth', '05171990'],
    ['username', username],
    ['password', 'quiet-meadow-77'],
    ['email', email],
    ['zip', '78701'],
    ['country', 'United States'],
    ['about_me', 'Lakes.'],
    ['headline', 'Lakes and walks'],
    ['height', '170'],
    ['build', 'A'],
    ['smoking', 'N'],
    ['drinking', 'R'],
  ] as const;
  for (const [name, text] of entries) if (text !== undefined) await type(page, name, text);
}
