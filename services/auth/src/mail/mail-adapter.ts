import type { Metrics } from '@covalence/runtime/metrics';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { v7 } from 'uuid';

/** A message to one person, as text and as HTML. */
export interface Mail {
  /** Name of the sender: the site's title. */
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Sends mail. */
export interface MailAdapter {
  /** Resolves when the mail was handed over; rejects when it could not be (isPermanent() tells whether for good). */
  send(mail: Mail): Promise<void>;
  close(): void;
}

/** Where mail goes: an SMTP server, or a folder. */
export interface MailOptions {
  /** smtp:// or smtps://, with user name and password in it. */
  readonly url: string | undefined;
  readonly folder: string | undefined;
  /** Address of the sender. */
  readonly sender: string;
  readonly metrics: Pick<Metrics, 'mails'>;
}

/** How long a server may take to be reached and to greet, ms. */
const greetingMs = 10_000;
/** And to answer, ms: it may look through a mail before it says that it has it, and whoever does not wait sends it again and again. */
const answerMs = 60_000;

/** What a server answers with a refusal of this very mail; to anything else a refusal means us, e.g. a password that ended. */
const ofTheMail = new Set<unknown>(['RCPT TO', 'DATA']);

/** Status codes of the sender and of policies (RFC 3463): most servers say them of the recipient, whatever they refuse. */
const ofUs = /^\d{3}[ -]5\.(1\.[78]|7\.\d+)\b/;

/** Whether an SMTP server refused a mail for good, e.g. because there is no such mailbox. */
export function isPermanent(error: unknown): boolean {
  if (!(error instanceof Error && 'responseCode' in error && 'command' in error)) return false;
  const answer = 'response' in error ? String(error.response) : '';
  return Number(error.responseCode) >= 500 && ofTheMail.has(error.command) && !ofUs.test(answer);
}

type Deliver = Pick<MailAdapter, 'close'> & { deliver(message: object): Promise<void> };

function toServer(url: string): Deliver {
  const { protocol, hostname, port, username, password } = new URL(url);
  const secure = protocol === 'smtps:';
  const transport = createTransport({
    pool: true,
    host: hostname,
    port: Number(port || (secure ? 465 : 587)),
    secure,
    ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: greetingMs,
    greetingTimeout: greetingMs,
    socketTimeout: answerMs,
  });
  return {
    deliver: async (message) => void (await transport.sendMail(message)),
    close: () => transport.close(),
  };
}

/** Every mail becomes a file that mail programs open; it appears whole. */
function toFolder(folder: string): Deliver {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    async deliver(mail) {
      const { message } = await transport.sendMail(mail);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const name = join(folder, v7());
      await writeFile(`${name}.part`, message, { mode: 0o600 });
      await rename(`${name}.part`, `${name}.eml`);
    },
    close: () => transport.close(),
  };
}

/** Creates the way that mail takes. */
export function createMailAdapter({ url, folder, sender, metrics }: MailOptions): MailAdapter {
  const way = url === undefined ? toFolder(folder ?? '') : toServer(url);
  return {
    async send({ from, ...mail }) {
      const message = {
        ...mail,
        from: { name: from, address: sender },
        // Answers of machines, e.g. "out of office", are not wanted.
        headers: { 'Auto-Submitted': 'auto-generated' },
        disableFileAccess: true,
        disableUrlAccess: true,
      };
      try {
        await way.deliver(message);
      } catch (error) {
        metrics.mails.inc({ outcome: isPermanent(error) ? 'refused' : 'failed' });
        throw error;
      }
      metrics.mails.inc({ outcome: 'sent' });
    },
    close: () => way.close(),
  };
}
