import { once } from 'node:events';
import { connect } from 'node:net';

/** One frame of a client, valid or not. */
export interface RawFrame {
  readonly fin: boolean;
  /** The three reserved bits, 0 to 7. */
  readonly reserved: number;
  /** 0 to 15. */
  readonly opcode: number;
  readonly masked: boolean;
  readonly payload: Buffer;
  /** A wrong length in the header. */
  readonly length?: number;
}

/** A valid text frame. */
export const textFrame = (text: string): RawFrame => ({
  fin: true,
  reserved: 0,
  opcode: 1,
  masked: true,
  payload: Buffer.from(text),
});

/** The bytes of a frame (RFC 6455, section 5.2). */
export function bytesOf({
  fin,
  reserved,
  opcode,
  masked,
  payload,
  length = payload.length,
}: RawFrame): Buffer {
  const head = [(fin ? 0x80 : 0) | (reserved << 4) | opcode];
  const mask = masked ? 0x80 : 0;
  if (length < 126) head.push(mask | length);
  else if (length < 65_536) head.push(mask | 126, length >> 8, length & 0xff);
  else {
    const long = Buffer.alloc(8);
    long.writeBigUInt64BE(BigInt(length));
    head.push(mask | 127, ...long);
  }
  if (!masked) return Buffer.concat([Buffer.from(head), payload]);
  const key = [1, 2, 3, 4];
  return Buffer.concat([
    Buffer.from([...head, ...key]),
    payload.map((byte, at) => byte ^ (key[at % 4] ?? 0)),
  ]);
}

/** The code of the close frame in the bytes that a server sent after its handshake, if there is one. */
function closeCodeIn(bytes: Buffer): number | undefined {
  for (let at = bytes.indexOf('\r\n\r\n') + 4; at + 2 <= bytes.length;) {
    const [first = 0, second = 0] = bytes.subarray(at, at + 2);
    const [length, head] = second === 126 ? [bytes.readUInt16BE(at + 2), 4] : [second, 2];
    if ((first & 0x0f) === 8) return length >= 2 ? bytes.readUInt16BE(at + head) : 1005;
    at += head + length;
  }
  return undefined;
}

/** A WebSocket whose bytes after the handshake are written by the test. */
export interface RawSocket {
  send(bytes: Buffer): void;
  /** Resolves with the server's close code when the connection has ended. */
  readonly ended: Promise<number | undefined>;
  /** Ends the connection. */
  end(): void;
}

/** Opens such a WebSocket. */
export async function openRaw(url: string): Promise<RawSocket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let received = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => (received = Buffer.concat([received, chunk])));
  // Writes to a closed connection fail.
  socket.on('error', () => undefined);
  const ended = once(socket, 'close').then(() => closeCodeIn(received));
  const key = 'AAAAAAAAAAAAAAAAAAAAAA==';
  socket.write(
    `GET /ws/updates HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
  );
  await once(socket, 'data');
  return { send: (bytes) => void socket.write(bytes), ended, end: () => socket.end() };
}
