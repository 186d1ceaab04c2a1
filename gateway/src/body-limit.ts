import { Failure } from '@covalence/contract/failure';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Route } from './route-table.ts';

const standardLimit = 1024 * 1024;

/** Bytes of a refused body that are read and dropped, so that the client gets to see the answer. */
const lingering = 16 * 1024 * 1024;

/** The largest body that a route takes, in bytes (D1). */
export function bodyLimitOf({ bodyLimit = standardLimit }: Route): number {
  return bodyLimit;
}

const tooLarge = () => new Failure(413, 'Payload Too Large');

/** Reads and drops the rest of a refused body; a client that does not stop loses its connection. */
function dropRest(request: IncomingMessage): void {
  let left = lingering;
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) request.socket.destroy();
  });
  request.resume();
}

/** Throws 413 for a body whose announced length is over the limit. */
export function checkAnnouncedLength(request: IncomingMessage, limit: number): void {
  if (Number(request.headers['content-length'] ?? 0) <= limit) return;
  dropRest(request);
  throw tooLarge();
}

/**
 * Counts a body that comes without a length while it streams; over the limit the upstream request ends with 413.
 * To be called when the request is about to be piped: a listener makes it flow.
 */
export function limitStreamedBody(request: IncomingMessage, proxied: ClientRequest, limit: number): void {
  if (request.headers['transfer-encoding'] === undefined) return;
  let length = 0;
  const count = (chunk: Buffer) => {
    length += chunk.length;
    if (length <= limit) return;
    request.off('data', count);
    request.unpipe(proxied);
    dropRest(request);
    proxied.destroy(tooLarge());
  };
  request.on('data', count);
}
