import type { IncomingHttpHeaders, OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** What a service's answer may not say: connection matters end at the gateway, the others are the gateway's own. */
const dropped = new Set([
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'te',
  'trailer',
  'upgrade',
  'x-powered-by',
  'server',
  'x-request-id',
  'x-content-type-options',
  'access-control-allow-origin',
  'access-control-allow-credentials',
  'access-control-allow-methods',
  'access-control-allow-headers',
  'access-control-expose-headers',
  'access-control-max-age',
  'connection',
  // What a client can read of the body's end is for its connection to say.
  'transfer-encoding',
]);

/** For answers that are data and not a page: nothing in them is ever to be run, framed or kept by a cache. */
const dataHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};

/** Sets what every answer has, whoever gives it. */
export function setCommonHeaders(response: ServerResponse, requestId: string): void {
  response.setHeader('X-Request-Id', requestId);
  response.setHeader('X-Content-Type-Options', 'nosniff');
}

/**
 * The headers of a service's answer as the client gets them. Pages keep their own policies; JSON gets the strict ones
 * where the service says nothing.
 */
export function responseHeaders(
  answer: IncomingHttpHeaders,
  response: ServerResponse,
  closing: boolean,
): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = answer['content-type']?.startsWith('application/json')
    ? { ...dataHeaders }
    : {};
  for (const [name, value] of Object.entries(answer)) if (!dropped.has(name)) headers[name] = value;
  const vary = response.getHeader('vary');
  if (vary) headers['vary'] = answer.vary ? `${answer.vary}, ${String(vary)}` : String(vary);
  if (closing) headers['connection'] = 'close';
  return headers;
}
