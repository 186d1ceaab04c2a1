import { rawAnswer } from '@covalence/http/socket-answer';
import type { Logger } from '@covalence/runtime/logger';
import type { ServerResponse } from 'node:http';

/** Answers a request with an error as JSON. An answer that has begun is cut off instead, so that it cannot pass for whole. */
export function answerError(response: ServerResponse, error: unknown, logger: Logger): void {
  if (response.writableEnded || response.destroyed) return;
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { status, headers, text } = rawAnswer(error, String(response.getHeader('x-request-id')), logger);
  response.writeHead(status, headers).end(text);
}
