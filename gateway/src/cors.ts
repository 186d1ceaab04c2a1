import type { IncomingMessage } from 'node:http';
import type { Answer } from './answer.ts';
import type { Route } from './route-table.ts';

/** Answers browsers' questions about which pages may call the API. */
export interface Cors {
  /** Sets what lets the request's origin read the answer. */
  apply(request: IncomingMessage, answer: Answer): void;
  /** Answers an OPTIONS request: 204 with the methods of its path. */
  preflight(request: IncomingMessage, answer: Answer, allowed: readonly string[]): void;
}

const allowedHeaders = 'Authorization, Content-Type, Idempotency-Key, If-None-Match, X-Request-Id';
const exposedHeaders = 'ETag, Retry-After, WWW-Authenticate, X-Request-Id';
const maxAgeSeconds = '7200';

/** The methods that a path answers, as Allow lists them. */
export function allowedMethods({ methods }: Pick<Route, 'methods'>): string[] {
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'];
}

function preflight(request: IncomingMessage, answer: Answer, allowed: readonly string[]): void {
  const methods = allowed.join(', ');
  const mayRead = answer.saidAlways('Access-Control-Allow-Origin') !== undefined;
  answer
    .begin(204, {
      Allow: methods,
      ...(mayRead && {
        'Access-Control-Allow-Methods': methods,
        'Access-Control-Allow-Headers': allowedHeaders,
        'Access-Control-Max-Age': maxAgeSeconds,
      }),
    })
    .end();
  request.resume();
}

/**
 * Creates the rules for a list of origins; `*` allows any. Credentials are never allowed: the API knows bearer tokens
 * only, and the hosted pages' cookies are nobody else's business.
 */
export function createCors(origins: readonly string[]): Cors {
  const any = origins.includes('*');
  const known = new Set(origins);
  return {
    preflight,
    apply(request, answer) {
      if (!any) answer.always('Vary', 'Origin');
      const { origin } = request.headers;
      if (!origin || !(any || known.has(origin))) return;
      answer.always('Access-Control-Allow-Origin', any ? '*' : origin);
      answer.always('Access-Control-Expose-Headers', exposedHeaders);
    },
  };
}
