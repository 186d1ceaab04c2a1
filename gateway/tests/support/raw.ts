import { connect } from 'node:net';

/** The response on a bare connection until the server ended it. */
export interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Sends bytes as they are and reads until the server ends the connection. */
export function sendRaw(port: number, bytes: string): Promise<RawAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>();
  const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
  let text = '';
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => (text += chunk));
  socket.on('error', reject);
  socket.on('close', () => {
    const [head = '', body = ''] = text.split('\r\n\r\n');
    resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0), head, body });
  });
  return promise;
}
