import type { Logger } from '@covalence/runtime/logger';
import { withRequestContext } from '@covalence/runtime/request-context';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { failureResponse, logError } from './errors.ts';

/** An error response outside of Express. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Logs an error under the request id and converts it to a JSON response. */
export function rawAnswer(error: unknown, requestId: string, logger: Logger): RawAnswer {
  return withRequestContext({ requestId }, () => {
    logError(logger, error);
    const { status, headers, body } = failureResponse(error);
    const text = JSON.stringify(body);
    return {
      status,
      text,
      headers: {
        ...headers,
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Length': String(Buffer.byteLength(text)),
        'Cache-Control': 'no-store',
      },
    };
  });
}

/**
 * Answers and closes a raw connection, for upgrades and malformed requests. Returns the status; undefined if
 * the client is gone.
 */
export function answerErrorOnSocket(
  socket: Duplex,
  error: unknown,
  { requestId, logger }: { requestId: string; logger: Logger },
): number | undefined {
  if (!socket.writable) {
    socket.destroy();
    return undefined;
  }
  const { status, headers, text } = rawAnswer(error, requestId, logger);
  const lines = Object.entries({ ...headers, 'X-Request-Id': requestId, Connection: 'close' });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head}\r\n${text}`);
  return status;
}
