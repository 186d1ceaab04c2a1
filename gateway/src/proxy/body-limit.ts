import { payloadTooLarge } from '@covalence/contract/failure';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

/** Bytes of a refused body that are read and discarded, so that the client sees the response. */
const lingering = 16 * 1024 * 1024;

/** Discards the rest of a refused body; a client that sends too much is disconnected. */
function dropRest(request: IncomingMessage): void {
  let left = lingering;
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) request.socket.destroy();
  });
  request.resume();
}

/** Throws 413 if Content-Length is over the limit. */
export function checkAnnouncedLength(request: IncomingMessage, limit: number): void {
  if (Number(request.headers['content-length'] ?? 0) <= limit) return;
  dropRest(request);
  throw payloadTooLarge();
}

/**
 * The body of a request to forward; undefined if there is none. Ends with 413 when it exceeds the limit. If it ends early, the rest is
 * discarded, so that the client sees the response.
 */
export function bodyWithin(request: IncomingMessage, limit: number): Readable | undefined {
  const { 'content-length': announced = '0', 'transfer-encoding': coding } = request.headers;
  if (coding === undefined && Number(announced) === 0) return undefined;
  let length = 0;
  // No pipe: it creates two more streams, which stay in memory until the next full garbage collection.
  const body = new Readable({ read: () => void request.resume() });
  const take = (chunk: Buffer) => {
    length += chunk.length;
    if (length > limit) body.destroy(payloadTooLarge());
    else if (!body.push(chunk)) request.pause();
  };
  request.on('data', take);
  request.once('end', () => body.push(null));
  body.once('close', () => {
    request.off('data', take);
    if (!request.readableEnded) dropRest(request);
  });
  return body;
}
