import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

/** Headers that are dropped from a service's response: hop-by-hop ones, and those that the gateway sets. */
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
  // The client's connection has its own framing.
  'transfer-encoding',
]);

/** Headers for data: it must not run, be framed or be cached. */
const dataHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};

/**
 * The headers of a service's response for the client, beside those of every response, whose Vary is `vary`. Pages keep their own
 * policies; JSON gets strict ones by default.
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
