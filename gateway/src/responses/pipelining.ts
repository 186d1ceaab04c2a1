import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Pending requests on one connection; hardly any client sends two. */
const mostUnanswered = 8;

const unanswered = new WeakMap<Socket, number>();

/**
 * Counts a request until its response. Returns false and closes the connection if too many are pending (RFC 9112, 9.3.2): one read can
 * bring a thousand small requests, which start before those of other clients.
 */
export function countUnanswered({ socket }: IncomingMessage, response: ServerResponse): boolean {
  // The parser continues to the end of its buffer.
  if (socket.destroyed) return false;
  const count = (unanswered.get(socket) ?? 0) + 1;
  if (count > mostUnanswered) {
    socket.destroy();
    return false;
  }
  unanswered.set(socket, count);
  response.on('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
  return true;
}
