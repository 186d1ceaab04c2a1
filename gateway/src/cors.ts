import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Route } from './route-table.ts';

/** Answers browsers' questions about which pages may call the API. */
export interface Cors {
  /** Sets what lets the request's origin read the answer. */
  apply(request: IncomingMessage, response: ServerResponse): void;
  /** Answers an OPTIONS request: 204 with the route's methods. */
  preflight(request: IncomingMessage, response: ServerResponse, route: Route): void;
}

const allowedHeaders = 'Authorization, Content-Type, Idempotency-Key, If-None-Match, X-Request-Id';
const exposedHeaders = 'ETag, Retry-After, WWW-Authenticate, X-Request-Id';
const maxAgeSeconds = '7200';

/** The methods that a route answers, as Allow lists them. */
export function allowedMethods({ methods }: Route): string[] {
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'];
}

function preflight(request: IncomingMessage, response: ServerResponse, route: Route): void {
  const methods = allowedMethods(route).join(', ');
  response.setHeader('Allow', methods);
  if (response.hasHeader('Access-Control-Allow-Origin')) {
    response.setHeader('Access-Control-Allow-Methods', methods);
    response.setHeader('Access-Control-Allow-Headers', allowedHeaders);
    response.setHeader('Access-Control-Max-Age', maxAgeSeconds);
  }
  response.writeHead(204).end();
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
    apply(request, response) {
      if (!any) response.setHeader('Vary', 'Origin');
      const { origin } = request.headers;
      if (!origin || !(any || known.has(origin))) return;
      response.setHeader('Access-Control-Allow-Origin', any ? '*' : origin);
      response.setHeader('Access-Control-Expose-Headers', exposedHeaders);
    },
  };
}
