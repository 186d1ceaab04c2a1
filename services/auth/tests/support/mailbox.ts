import { until } from '@covalence/testing/until';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';

/** A mail as its reader sees it. */
interface ReceivedMail {
  readonly from: string;
  readonly sender: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The path of the page that it leads to; '' without one. */
  readonly path: string;
}

/** The folder that a suite's mails land in. */
export interface Mailbox {
  readonly folder: string;
  /** Every mail to an address, oldest first. */
  to(address: string): Promise<ReceivedMail[]>;
  /** Waits for the nth mail (from 1) to an address with this subject. */
  wait(address: string, subject: string, nth?: number): Promise<ReceivedMail>;
  close(): void;
}

const received = ({ from, to, subject, text, html, headers }: Email): ReceivedMail => {
  const link = /http:\/\/auth\.test(\/\S+)/.exec(text ?? '')?.[1];
  return {
    from: from?.name ?? '',
    sender: from?.address ?? '',
    to: to?.[0]?.address ?? '',
    subject: subject ?? '',
    text: text ?? '',
    html: html ?? '',
    headers: Object.fromEntries(headers.map(({ key, value }) => [key, value])),
    path: link ?? '',
  };
};

/** Creates an empty mailbox. */
export function createMailbox(): Mailbox {
  const folder = mkdtempSync(join(tmpdir(), 'auth-mails-'));
  const to: Mailbox['to'] = async (address) => {
    const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.eml')) : [];
    const mails = await Promise.all(
      names.sort().map((name) => PostalMime.parse(readFileSync(join(folder, name)))),
    );
    return mails.map(received).filter((mail) => mail.to === address);
  };
  return {
    folder,
    to,
    wait: (address, subject, nth = 1) =>
      until(`mail ${nth} "${subject}"`, async () =>
        (await to(address)).filter((mail) => mail.subject === subject).at(nth - 1),
      ),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
