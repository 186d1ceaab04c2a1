import { Failure, unavailable } from '@covalence/contract/failure';
import { connectionAgeMs } from '@covalence/http/peer';
import type { Logger } from '@covalence/runtime/logger';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Pool, type Dispatcher } from 'undici';
import { answerError, type Answer } from '../responses/answer.ts';
import { bodyWithin } from './body-limit.ts';
import { responseHeaders } from './response-headers.ts';

/** A request to forward. */
export interface Forwarded {
  readonly request: IncomingMessage;
  readonly response: Answer;
  /** Headers for the service. */
  readonly headers: Record<string, string>;
  /** Largest body in bytes. */
  readonly bodyLimit: number;
}

/** Options of forwarding. */
export interface ForwardingOptions {
  readonly url: string;
  /** Time limit for the service's response. */
  readonly timeoutMs: number;
  /** Time limit for connecting: a vanished address does not refuse connections. */
  readonly connectTimeoutMs: number;
  /** Requests that the service has received completely and not begun to answer; more get 503. */
  readonly maxRequests: number;
  readonly logger: Logger;
  /** True during a shutdown: responses then close their connections. */
  readonly closing: () => boolean;
}

/** Names a 503's cause without the client's data. */
export const away = (error: unknown): Failure => (error instanceof Failure ? error : unavailable(error));

const clientIsGone = new Error('the client has left');

/** Streams the service's response to the client with backpressure. Calls `answered`, possibly more than once, when it is complete. */
function answerTo(
  response: Answer,
  answered: () => void,
  { logger, closing }: ForwardingOptions,
): Dispatcher.DispatchHandler {
  let atService: Dispatcher.DispatchController | undefined;
  let isOver = false;
  // Also after an early response (400, 408, 413): the rest of the body is not sent.
  response.on('close', () => {
    if (!isOver) atService?.abort(clientIsGone);
  });
  return {
    onRequestStart(controller) {
      atService = controller;
      if (response.closed) controller.abort(clientIsGone);
    },
    onResponseStart(controller, status, headers, statusMessage) {
      if (status < 200) return;
      answered();
      if (response.headersSent) controller.abort(clientIsGone);
      else {
        const passed = responseHeaders(headers, response.saidAlways('Vary'), closing());
        response.begin(status, passed, statusMessage);
      }
    },
    onResponseData(controller, chunk) {
      if (response.write(chunk)) return;
      controller.pause();
      response.once('drain', () => controller.resume());
    },
    onResponseEnd() {
      isOver = true;
      response.end();
    },
    onResponseError(_controller, error) {
      isOver = true;
      answerError(response, away(error), logger);
    },
  };
}

/**
 * Creates the forwarding to a service. A service that is unavailable, silent or overloaded gives 503. When the client disconnects, the
 * request to the service is canceled.
 */
export function createForwarding(options: ForwardingOptions) {
  const { url, timeoutMs, connectTimeoutMs, maxRequests, logger } = options;
  const pool = new Pool(url, {
    connectTimeout: connectTimeoutMs,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    clientTtl: connectionAgeMs,
  });
  let owed = 0;
  /** Counts a request while the service works on it, and not while the client sends or reads slowly. */
  const countWhileOwed = (response: Answer, body: Readable | undefined): (() => void) => {
    let state: 'sending' | 'owed' | 'answered' = 'sending';
    const sent = () => {
      if (state !== 'sending') return;
      state = 'owed';
      owed += 1;
    };
    const answered = () => {
      if (state === 'owed') owed -= 1;
      state = 'answered';
    };
    response.on('close', answered);
    if (body) body.once('end', sent);
    else sent();
    return answered;
  };
  return {
    forward({ request, response, headers, bodyLimit }: Forwarded): void {
      if (owed >= maxRequests) {
        answerError(response, unavailable(new Error(`${maxRequests} requests under way`)), logger);
        return;
      }
      const { method = 'GET', url: path = '/' } = request;
      const body = bodyWithin(request, bodyLimit);
      const answered = countWhileOwed(response, body);
      pool.dispatch({ method, path, headers, body: body ?? null }, answerTo(response, answered, options));
    },
    close: () => pool.destroy(),
  };
}
