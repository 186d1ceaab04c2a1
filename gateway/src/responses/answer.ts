import { rawAnswer } from '@covalence/http/socket-answer';
import type { Logger } from '@covalence/runtime/logger';
import { bindTrace, newTrace } from '@covalence/runtime/tracing';
import { ServerResponse, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';

/** The response to a client. It collects the headers of every response and writes them with the head, in one call. */
export class Answer<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  /** The request id, set first. */
  requestId = '';
  /** Its trace context. */
  trace = newTrace;
  /** Whether it was cut off after its head. */
  isCutOff = false;
  readonly #common: Record<string, string> = { 'X-Content-Type-Options': 'nosniff' };

  /** Sets a header of the response, also where the service writes it. */
  always(name: string, value: string): void {
    this.#common[name] = value;
  }

  /** The current value of such a header. */
  saidAlways(name: string): string | undefined {
    return this.#common[name];
  }

  /** Writes the head: the given and the collected headers. */
  begin(status: number, headers: OutgoingHttpHeaders, statusMessage?: string): this {
    const all = { 'X-Request-Id': this.requestId, ...this.#common, ...headers };
    return statusMessage === undefined
      ? this.writeHead(status, all)
      : this.writeHead(status, statusMessage, all);
  }
}

/** Sends an error as JSON. A response that has begun is cut off instead, so that it does not look complete. */
export function answerError(answer: Answer, error: unknown, logger: Logger): void {
  if (answer.writableEnded || answer.destroyed) return;
  if (answer.headersSent) {
    answer.isCutOff = true;
    answer.destroy();
    return;
  }
  const { status, headers, text } = bindTrace(answer.trace, rawAnswer)(error, answer.requestId, logger);
  answer.begin(status, headers).end(text);
}
