import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Milliseconds by a clock that all processes of the machine share. */
export const machineMs = (): number => Number(process.hrtime.bigint()) / 1e6;

/** A client socket. */
export interface RawSocket {
  close(): Promise<void>;
}

/** The address a socket connects to, its local address, and its first message. */
interface RawOptions {
  readonly url: string;
  readonly hello: string;
  readonly localAddress: string;
}

/** Receives the text of a frame. */
type Take = (text: string) => void;

const endOfHead = '\r\n\r\n';
const wholeText = 0x81;
const ping = 0x89;
const masked = 0x80;
const inTwoBytes = 126;

const upgradeOf = ({ host, pathname }: URL) =>
  [
    `GET ${pathname} HTTP/1.1`,
    `Host: ${host}`,
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
  ].join('\r\n') + endOfHead;

/** A client frame with a mask of zeros, which leaves the text unchanged. */
function frameOf(text: string): Buffer {
  const body = Buffer.from(text);
  const head = Buffer.alloc(8);
  head.writeUInt8(wholeText);
  head.writeUInt8(masked | inTwoBytes, 1);
  head.writeUInt16BE(body.length, 2);
  return Buffer.concat([head, body]);
}

/** The answer to a ping, without content. */
const pong = Buffer.from([0x8a, masked, 0, 0, 0, 0]);

/** Delivers complete frames of up to 64 KiB, and calls `pinged` for pings; returns the incomplete rest. */
function takeFrames(data: Buffer, take: Take, pinged: () => void): Buffer {
  let at = 0;
  while (data.length - at >= 2) {
    const short = data.readUInt8(at + 1);
    const begin = short === inTwoBytes ? at + 4 : at + 2;
    if (begin > data.length) break;
    const end = begin + (short === inTwoBytes ? data.readUInt16BE(at + 2) : short);
    if (end > data.length) break;
    const kind = data.readUInt8(at);
    if (kind === wholeText) take(data.toString('latin1', begin, end));
    else if (kind === ping) pinged();
    at = end;
  }
  return data.subarray(at);
}

/** Removes the answer to the upgrade; undefined while it is incomplete. */
function afterUpgrade(data: Buffer): Buffer | undefined {
  const end = data.indexOf(endOfHead);
  if (end < 0) return undefined;
  const head = data.toString('latin1', 0, end);
  if (!head.startsWith('HTTP/1.1 101')) throw new Error(`not upgraded: ${head}`);
  return data.subarray(end + endOfHead.length);
}

/** Read buffer of all sockets; each read is processed before the next. */
const shared = Buffer.allocUnsafe(64 * 1_024);
const none = Buffer.alloc(0);

const closeOf = (socket: Socket): RawSocket => ({
  async close() {
    socket.destroy();
    if (!socket.closed) await once(socket, 'close');
  },
});

/** Opens a minimal WebSocket: 10,000 clients share the machine with the measured server and must cost little. */
export function openRaw({ url, hello, localAddress }: RawOptions, take: Take): Promise<RawSocket> {
  const address = new URL(url);
  return new Promise((resolve, reject) => {
    let rest: Buffer = none;
    let isUpgraded = false;
    const read = (length: number): boolean => {
      const come = shared.subarray(0, length);
      const data = rest.length ? Buffer.concat([rest, come]) : come;
      const frames = isUpgraded ? data : afterUpgrade(data);
      if (frames && !isUpgraded) {
        isUpgraded = true;
        socket.write(frameOf(hello));
        resolve(closeOf(socket));
      }
      const left = frames ? takeFrames(frames, take, () => socket.write(pong)) : data;
      rest = left.length ? Buffer.from(left) : none;
      return true;
    };
    const socket = connect({
      host: address.hostname,
      port: Number(address.port),
      localAddress,
      noDelay: true,
      onread: { buffer: shared, callback: read },
    });
    socket.once('error', reject);
    socket.once('connect', () => socket.write(upgradeOf(address)));
  });
}
