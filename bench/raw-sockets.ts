import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';

/** A client's end of a WebSocket. */
export interface RawSocket {
  close(): Promise<void>;
}

/** What a socket connects to, from where, and what it first says. */
interface RawOptions {
  readonly url: string;
  readonly hello: string;
  readonly localAddress: string;
}

/** A text that comes. */
type Take = (text: string) => void;

const endOfHead = '\r\n\r\n';
const wholeText = 0x81;
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

/** A client's frame; its mask is zeros, which leave the text as it is. */
function frameOf(text: string): Buffer {
  const body = Buffer.from(text);
  const head = Buffer.alloc(8);
  head.writeUInt8(wholeText);
  head.writeUInt8(masked | inTwoBytes, 1);
  head.writeUInt16BE(body.length, 2);
  return Buffer.concat([head, body]);
}

/** Gives the texts of whole frames, of up to 64 KiB; returns what is left of one that is not whole. */
function takeFrames(data: Buffer, take: Take): Buffer {
  let at = 0;
  while (data.length - at >= 4) {
    const short = data.readUInt8(at + 1);
    const begin = short === inTwoBytes ? at + 4 : at + 2;
    const end = begin + (short === inTwoBytes ? data.readUInt16BE(at + 2) : short);
    if (end > data.length) break;
    if (data.readUInt8(at) === wholeText) take(data.toString('latin1', begin, end));
    at = end;
  }
  return data.subarray(at);
}

/** Takes the answer to the upgrade off what comes first; undefined where it is not whole yet. */
function afterUpgrade(data: Buffer): Buffer | undefined {
  const end = data.indexOf(endOfHead);
  if (end < 0) return undefined;
  const head = data.toString('latin1', 0, end);
  if (!head.startsWith('HTTP/1.1 101')) throw new Error(`not upgraded: ${head}`);
  return data.subarray(end + endOfHead.length);
}

/** Where every socket reads into; what was read is done with before the next one reads. */
const shared = Buffer.allocUnsafe(64 * 1_024);
const none = Buffer.alloc(0);

const closeOf = (socket: Socket): RawSocket => ({
  close: () =>
    new Promise((resolve) => {
      socket.once('close', () => resolve());
      socket.destroy();
    }),
});

/**
 * Opens a WebSocket that does next to nothing with what it reads: ten thousand of them in one process share the machine with the
 * server that is measured, and must not be what the benchmark measures.
 */
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
      const left = frames ? takeFrames(frames, take) : data;
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
