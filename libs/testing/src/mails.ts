import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from './until.ts';

/** The texts of the mails in a folder, decoded from quoted-printable. */
export const mailsIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.eml'))
    .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('=\r\n', '').replaceAll('=3D', '='));

/** Waits for a mail to an address and returns its link that starts with a path. */
export function linkOf(
  folder: string,
  address: string,
  beginning: string,
  limitMs?: number,
): Promise<string> {
  const link = new RegExp(`https?://[^/\\s]+(${beginning}[\\w-]+)`);
  const find = () =>
    mailsIn(folder)
      .filter((mail) => mail.includes(`To: ${address}`))
      .map((mail) => link.exec(mail)?.[1])
      .find((path) => path !== undefined);
  return until(`a mail to ${address}`, find, limitMs);
}
