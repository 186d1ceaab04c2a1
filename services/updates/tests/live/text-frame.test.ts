import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { createHash } from 'node:crypto';
import { WebSocket } from 'ws';
import { textFrame } from '../../src/live/text-frame.ts';

/** Reads with a WebSocket client what a server writes after the handshake. */
async function readBy(frames: readonly Buffer[]): Promise<string[]> {
  const server = createServer((socket) => {
    socket.once('data', (request) => {
      const key = /^sec-websocket-key: (\S+)/im.exec(request.toString())?.[1] ?? '';
      const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
      const head = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n';
      socket.end(Buffer.concat([Buffer.from(`${head}Sec-WebSocket-Accept: ${accept}\r\n\r\n`), ...frames]));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const texts: string[] = [];
  client.on('message', (data: Buffer, isBinary) => texts.push(isBinary ? 'binary' : data.toString()));
  try {
    await once(client, 'close');
    return texts;
  } finally {
    client.terminate();
    server.close();
  }
}

describe('the frame of a text', () => {
  it('is read as that text, whatever its length and script', async () => {
    const texts = [0, 1, 125, 126, 127, 65_535, 65_536, 200_000].map((length) => 'x'.repeat(length));
    const all = [...texts, 'ü€😀'.repeat(30), 'é'.repeat(32_768)];
    expect(await readBy(all.map(textFrame))).toEqual(all);
  });
});
