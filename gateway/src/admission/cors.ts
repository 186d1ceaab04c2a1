import type { IncomingMessage } from 'node:http';
import type { Answer } from '../responses/answer.ts';
import type { RouteMethod } from '../routing/route-table.ts';

/** The CORS rules. */
export type Cors = ReturnType<typeof createCors>;

const allowedHeaders = 'Authorization, Content-Type, DPoP, Idempotency-Key, If-None-Match, X-Request-Id';
const exposedHeaders = 'DPoP-Nonce, ETag, Retry-After, WWW-Authenticate, X-Request-Id';
const maxAgeSeconds = '7200';

/** The methods of a path, with HEAD beside GET, and OPTIONS. */
export function allowedMethods(methods: readonly RouteMethod[]): string[] {
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'];
}

/** Answers an OPTIONS request: 204 with the methods of its path. */
function preflight(request: IncomingMessage, answer: Answer, documented: readonly RouteMethod[]): void {
  const methods = documented.join(', ');
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
 * Creates the rules: `*` allows any origin, and those of public clients are always allowed, as is the gateway's own for WebSockets.
 * Credentials never are: the API uses bearer tokens, and cookies belong to the hosted pages only.
 */
export function createCors(
  origins: readonly string[],
  own: string,
  isRegistered: (origin: string) => boolean,
) {
  const any = origins.includes('*');
  const isKnown = (origin: string) => any || origins.includes(origin) || isRegistered(origin);
  return {
    preflight,
    /** Whether the request's origin may open a WebSocket, to which CORS does not apply. Apps send no origin. */
    admits: ({ headers: { origin } }: IncomingMessage): boolean =>
      origin === undefined || origin === own || isKnown(origin),
    /** Sets the headers that let the request's origin read the response. */
    apply(request: IncomingMessage, answer: Answer): void {
      if (!any) answer.always('Vary', 'Origin');
      const { origin } = request.headers;
      if (!origin || !isKnown(origin)) return;
      answer.always('Access-Control-Allow-Origin', any ? '*' : origin);
      answer.always('Access-Control-Expose-Headers', exposedHeaders);
    },
  };
}
