import type { Metrics } from '@covalence/runtime/metrics';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { BlockList, isIPv6 } from 'node:net';
import { join } from 'node:path';
import { createTransport, type NodemailerError } from 'nodemailer';
import { v7 } from 'uuid';

/** A mail to one recipient. */
export interface Mail {
  /** Sender name: the site's title. */
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The address at which the reader or a mail program ends such mails by one POST (RFC 8058). */
  readonly stop?: string | undefined;
}

/** An SMTP server or a folder. */
export interface MailOptions {
  /** smtp:// or smtps:// with username and password. */
  readonly url: string | undefined;
  readonly folder: string | undefined;
  /** Address of the sender. */
  readonly sender: string;
  readonly metrics: Pick<Metrics, 'mails'>;
}

/** Timeout of the connection and the greeting. */
const greetingMs = 10_000;
/** Timeout of a response. A server may scan a mail before it accepts it; giving up earlier would send it again. */
const answerMs = 60_000;

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

/** Whether a host is this one, to which nobody listens on the way. */
const isLoopback = (host: string): boolean =>
  host === 'localhost' || loopback.check(host, isIPv6(host) ? 'ipv6' : 'ipv4');

/** Commands whose rejection concerns the mail. Other rejections concern this service, e.g. an expired password. */
const mailCommands = new Set<unknown>(['RCPT TO', 'DATA']);

/** Status codes about the sender and about policies (RFC 3463), which concern this service. */
const senderStatus = /^5\.(1\.[78]|7\.\d+)$/;

/** A mail that a server did not take, in codes only: texts of servers name the recipient, and this goes to the logs. */
class MailFailure extends Error {
  override readonly name = 'MailFailure';
  readonly isPermanent: boolean;

  constructor({ code, originalCode, command, responseCode, response = '' }: NodemailerError) {
    const status = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1];
    const reason = responseCode ?? originalCode ?? code;
    super([command, reason, status].filter(Boolean).join(' '));
    this.isPermanent =
      Number(responseCode) >= 500 && mailCommands.has(command) && !senderStatus.test(status ?? '');
  }
}

/** Whether an SMTP server rejected a mail permanently, e.g. for an unknown mailbox. */
export const isPermanent = (error: unknown): boolean => error instanceof MailFailure && error.isPermanent;

type Deliver = Pick<MailAdapter, 'close'> & { deliver(message: object): Promise<void> };

function toServer(url: string): Deliver {
  const { protocol, hostname, port, username, password } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const secure = protocol === 'smtps:';
  const transport = createTransport({
    pool: true,
    host,
    port: Number(port || (secure ? 465 : 587)),
    secure,
    // An attacker in between would strip an offer of TLS, and read links that open accounts.
    requireTLS: !secure && !isLoopback(host),
    ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: greetingMs,
    greetingTimeout: greetingMs,
    socketTimeout: answerMs,
  });
  return {
    async deliver(message) {
      await transport.sendMail(message).catch((error: NodemailerError) => {
        throw new MailFailure(error);
      });
    },
    close: () => transport.close(),
  };
}

/** Writes each mail atomically to an .eml file. */
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

/** The headers by which a mail program offers to end such mails. The relay's DKIM signature must cover them. */
const stopHeaders = (url: string) => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

/** Creates the adapter. */
export function createMailAdapter({ url, folder, sender, metrics }: MailOptions) {
  const transport = url === undefined ? toFolder(folder ?? '') : toServer(url);
  return {
    /** Resolves when the server has accepted the mail; isPermanent() classifies its errors. */
    async send({ from, stop, ...mail }: Mail) {
      const message = {
        ...mail,
        from: { name: from, address: sender },
        // Prevents automatic replies such as "out of office".
        headers: { 'Auto-Submitted': 'auto-generated', ...(stop !== undefined && stopHeaders(stop)) },
        disableFileAccess: true,
        disableUrlAccess: true,
      };
      try {
        await transport.deliver(message);
      } catch (error) {
        metrics.mails.inc({ outcome: isPermanent(error) ? 'refused' : 'failed' });
        throw error;
      }
      metrics.mails.inc({ outcome: 'sent' });
    },
    close(): void {
      transport.close();
    },
  };
}

/** Sends mail. */
export type MailAdapter = ReturnType<typeof createMailAdapter>;
