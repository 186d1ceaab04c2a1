import { mailsIn } from '@covalence/testing/mails';
import request from 'supertest';
import { formOf } from './sign-in.ts';

/** The texts of the mails to a member, one after the other. */
export const readMails = (folder: string, username: string): string =>
  mailsIn(folder)
    .filter((mail) => mail.includes(`Hello ${username},`))
    .join('\n');

/** Opens a hosted page and submits its form with these values and its hidden fields. */
export async function press(
  base: string,
  path: string,
  entries: Record<string, string> = {},
  browser = request.agent(base),
): Promise<request.Response> {
  const page = await browser.get(path).expect(200);
  const { fields } = formOf(page.text);
  return browser
    .post(path)
    .type('form')
    .send({ ...fields, ...entries });
}
