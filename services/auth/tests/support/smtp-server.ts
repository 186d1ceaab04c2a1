import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';

/** Replies that refuse lines, by the beginning of the line in capitals. */
type Refusals = Readonly<Record<string, string>>;

/** An SMTP server that speaks as little as a mail needs; `mails` gets what it takes. Once `taken` has resolved it says so. */
export function createSmtpServer(
  mails: string[],
  refusals: Refusals = {},
  taken: Promise<void> = Promise.resolve(),
): Server {
  return createServer((socket) => {
    let [text, inMail] = ['', false];
    const say = (line: string) => socket.write(`${line}\r\n`);
    const command = (line: string) => {
      const [verb = ''] = line.toUpperCase().split(' ');
      if (verb === 'EHLO') return say('250 mail.test');
      const refusal = Object.keys(refusals).find((begin) => line.toUpperCase().startsWith(begin));
      if (refusal !== undefined) return say(refusals[refusal] ?? '');
      if (verb === 'DATA') {
        inMail = true;
        return say('354 go on');
      }
      if (verb === 'QUIT') return socket.end('221 bye\r\n');
      return say('250 ok');
    };
    say('220 mail.test');
    socket.on('error', () => {});
    socket.on('data', (data) => {
      text += data.toString();
      for (;;) {
        const mark = inMail ? '\r\n.\r\n' : '\r\n';
        const end = text.indexOf(mark);
        if (end < 0) return;
        const part = text.slice(0, end);
        text = text.slice(end + mark.length);
        if (!inMail) command(part);
        else {
          mails.push(part);
          inMail = false;
          void taken.then(() => say('250 taken'));
        }
      }
    });
  });
}

/** Has a server listen, at a port of its own unless one is named; resolves with the port. */
export const listening = async (server: Server, port = 0, host = '127.0.0.1') => {
  server.listen(port, host);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};
