import { until } from '@covalence/testing/until';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import request from 'supertest';
import { formOf } from './sign-in.ts';

/** The text of a mail, decoded from quoted-printable. */
const textOf = (path: string) => readFileSync(path, 'utf8').replaceAll('=\r\n', '').replaceAll('=3D', '=');

/** The texts of the mails to a member, one after the other. */
export function readMails(folder: string, username: string): string {
  const names = readdirSync(folder).filter((name) => name.endsWith('.eml'));
  const texts = names.map((name) => textOf(join(folder, name)));
  return texts.filter((mail) => mail.includes(`Hello ${username},`)).join('\n');
}

/** Waits for a mail to an address and returns its link that starts with a path. */
export function linkOf(folder: string, address: string, beginning: string): Promise<string> {
  const link = new RegExp(`https?://[^/\\s]+(${beginning}[\\w-]+)`);
  return until(`a mail to ${address}`, () => {
    const names = readdirSync(folder).filter((name) => name.endsWith('.eml'));
    const own = names
      .map((name) => textOf(join(folder, name)))
      .filter((mail) => mail.includes(`To: ${address}`));
    return own.map((mail) => link.exec(mail)?.[1]).find((path) => path !== undefined);
  });
}

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
