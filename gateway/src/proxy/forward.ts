import { Failure, unavailable } from '@covalence/contract/failure';
import { connectionAgeMs } from '@covalence/http/connection-age';
import type { Logger } from '@covalence/runtime/logger';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Pool, type Dispatcher } from 'undici';
import { answerError, type Answer } from '../responses/answer.ts';
import { bodyWithin } from './body-limit.ts';
import { responseHeaders } from './response-headers.ts';

/** A request on its way to a service. */
export interface Forwarded {
  readonly request: IncomingMessage;
  readonly response: Answer;
  /** What the service is to see. */
  readonly headers: Record<string, string>;
  /** Bytes that the body may have. */
  readonly bodyLimit: number;
}

/** What requests are passed on with. */
export interface ForwardingOptions {
  readonly url: string;
  /** How long the service may stay silent. */
  readonly timeoutMs: number;
  /** How long a connection to it may take to come about: an address that is gone does not say so. */
  readonly connectTimeoutMs: number;
  /** Requests that the service may have whole and not have begun to answer; more get 503 instead of piling up. */
  readonly maxRequests: number;
  readonly logger: Logger;
  /** True from the first moment of a shutdown: answers then close their connections. */
  readonly closing: () => boolean;
}

/** Passes requests on to one service over connections that are kept. */
export interface Forwarding {
  /** Passes a request on and its answer back. */
  forward(forwarded: Forwarded): void;
  close(): Promise<void>;
}

/** Names a 503's cause without the client's data. */
export const away = (error: unknown): Failure => (error instanceof Failure ? error : unavailable(error));

const clientIsGone = new Error('the client has left');

/**
 * Writes the service's answer to the client as it comes, no faster than the client reads; `answered` is called, maybe more than
 * once, when the service is owed nothing any more.
 */
function answerTo(
  response: Answer,
  answered: () => void,
  { logger, closing }: ForwardingOptions,
): Dispatcher.DispatchHandler {
  let atService: Dispatcher.DispatchController | undefined;
  let isOver = false;
  // Also when it was answered before its body was whole (400, 408, 413): nobody sends the rest.
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
 * Creates the way to a service. A service that is away, silent or swamped answers 503. When the client leaves, the
 * service's request ends with it.
 */
export function createForwarding(options: ForwardingOptions): Forwarding {
  const { url, timeoutMs, connectTimeoutMs, maxRequests, logger } = options;
  const pool = new Pool(url, {
    connectTimeout: connectTimeoutMs,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    clientTtl: connectionAgeMs,
  });
  let owed = 0;
  /** Counts a request while the service owes its answer, and not while a client sends or reads slowly. */
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
    forward({ request, response, headers, bodyLimit }) {
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
