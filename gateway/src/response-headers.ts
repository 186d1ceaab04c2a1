import type { IncomingMessage, ServerResponse } from 'node:http';

/** What a service's answer may not say: connection matters end at the gateway, the others are the gateway's own. */
const dropped = [
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
];

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
 * Rewrites a service's answer in place before it is passed on. Pages keep their own policies; JSON gets the strict ones
 * where the service says nothing.
 */
export function rewriteResponseHeaders(
  answer: IncomingMessage,
  response: ServerResponse,
  closing: boolean,
): void {
  const { headers } = answer;
  for (const name of dropped) delete headers[name];
  headers.connection = closing || !response.shouldKeepAlive ? 'close' : 'keep-alive';
  const vary = response.getHeader('vary');
  if (vary) headers.vary = headers.vary ? `${headers.vary}, ${String(vary)}` : String(vary);
  if (!headers['content-type']?.startsWith('application/json')) return;
  for (const [name, value] of Object.entries(dataHeaders)) headers[name] ??= value;
}
