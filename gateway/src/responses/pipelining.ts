import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests that a client may have sent on one connection without having their answers; hardly any client sends two. */
const mostUnanswered = 8;

const unanswered = new WeakMap<Socket, number>();

/**
 * Counts a request until it is answered. False for one of a connection that has sent too many ahead; the connection ends, as
 * clients have to expect (RFC 9112, 9.3.2). One read of a connection can bring a thousand small requests, all of them begun
 * before anybody else's turn; neither limits nor the wait of a refusal hold that up.
 */
export function countUnanswered({ socket }: IncomingMessage, response: ServerResponse): boolean {
  // The parser goes on to the end of what it has read.
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
