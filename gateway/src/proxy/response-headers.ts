import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

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
  'strict-transport-security',
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

/**
 * The headers of a service's answer as the client gets them, beside those that every answer has; `vary` is what those say of
 * it. Pages keep their own policies; JSON gets the strict ones where the service says nothing.
 */
export function responseHeaders(
  answer: IncomingHttpHeaders,
  vary: string | undefined,
  closing: boolean,
): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = answer['content-type']?.startsWith('application/json')
    ? { ...dataHeaders }
    : {};
  for (const [name, value] of Object.entries(answer)) if (!dropped.has(name)) headers[name] = value;
  if (vary !== undefined && answer.vary !== undefined) {
    headers['Vary'] = `${answer.vary}, ${vary}`;
    delete headers['vary'];
  }
  if (closing) headers['connection'] = 'close';
  return headers;
}
