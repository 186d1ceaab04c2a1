import { rawAnswer } from '@covalence/http/socket-answer';
import type { Logger } from '@covalence/runtime/logger';
import { bindTrace, newTrace } from '@covalence/runtime/tracing';
import { ServerResponse, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';

/**
 * What a client is answered. Headers that every answer to the request has, whoever gives it, wait here for its head: set on the
 * response one by one before that they cost as much again as all others.
 */
export class Answer<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  /** Set before anything else happens to the request. */
  requestId = '';
  /** The trace that it belongs to, once that has begun. */
  trace = newTrace;
  readonly #common: Record<string, string> = { 'X-Content-Type-Options': 'nosniff' };

  /** Adds a header that every answer to this request has. */
  always(name: string, value: string): void {
    this.#common[name] = value;
  }

  /** What such a header says so far. */
  saidAlways(name: string): string | undefined {
    return this.#common[name];
  }

  /** Writes the head: these headers and those that every answer has. */
  begin(status: number, headers: OutgoingHttpHeaders, statusMessage?: string): this {
    const all = { 'X-Request-Id': this.requestId, ...this.#common, ...headers };
    return statusMessage === undefined
      ? this.writeHead(status, all)
      : this.writeHead(status, statusMessage, all);
  }
}

/** Answers a request with an error as JSON. An answer that has begun is cut off instead, so that it cannot pass for whole. */
export function answerError(answer: Answer, error: unknown, logger: Logger): void {
  if (answer.writableEnded || answer.destroyed) return;
  if (answer.headersSent) {
    answer.destroy();
    return;
  }
  const { status, headers, text } = bindTrace(answer.trace, rawAnswer)(error, answer.requestId, logger);
  answer.begin(status, headers).end(text);
}
