import type { TraceHeaders } from '@covalence/runtime/tracing';
import type { IncomingMessage } from 'node:http';

/** Headers that end at each hop (RFC 9110, 7.6.1), and what only a gateway may say. */
const notPassedOn = [
  'connection',
  'proxy-connection',
  'keep-alive',
  'te',
  'trailer',
  'upgrade',
  'expect',
  'proxy-authorization',
  'proxy-authenticate',
  'forwarded',
  'x-real-ip',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-port',
  'x-forwarded-server',
  'x-forwarded-prefix',
  'x-http-method-override',
  'traceparent',
  'tracestate',
  'baggage',
];

/** The Connection header may name further headers to drop, but never those that frame the request. */
const alwaysKept = new Set(['host', 'content-length', 'transfer-encoding', 'authorization', 'content-type']);

const named = (connection: string | undefined): string[] =>
  connection
    ? connection
        .toLowerCase()
        .split(',')
        .map((name) => name.trim())
        .filter((name) => !alwaysKept.has(name))
    : [];

/** What the services are told about the client. */
export interface ForwardedFacts {
  readonly requestId: string;
  readonly address: string;
  /** Whether X-Forwarded-Host and -Proto come from a proxy that is believed. */
  readonly behindProxy: boolean;
  /** What continues the gateway's trace of the request. */
  readonly trace: TraceHeaders;
}

const schemeOf = (request: IncomingMessage, behindProxy: boolean): string => {
  const told = request.headers['x-forwarded-proto'];
  if (behindProxy && (told === 'https' || told === 'http')) return told;
  return 'encrypted' in request.socket ? 'https' : 'http';
};

const hostOf = ({ headers }: IncomingMessage, behindProxy: boolean): string => {
  const told = headers['x-forwarded-host'];
  return behindProxy && typeof told === 'string' && /^[\w.:[\]-]+$/.test(told) ? told : (headers.host ?? '');
};

/**
 * Turns the client's headers into those that the services see: hop-by-hop headers gone, X-Forwarded-*, X-Request-Id and the
 * trace set by the gateway alone, Host and Authorization as they are.
 */
export function rewriteRequestHeaders(request: IncomingMessage, facts: ForwardedFacts): void {
  const { headers } = request;
  const scheme = schemeOf(request, facts.behindProxy);
  const host = hostOf(request, facts.behindProxy);
  for (const name of named(headers.connection)) delete headers[name];
  for (const name of notPassedOn) delete headers[name];
  headers['x-request-id'] = facts.requestId;
  headers['x-forwarded-for'] = facts.address;
  headers['x-forwarded-proto'] = scheme;
  headers['x-forwarded-host'] = host;
  Object.assign(headers, facts.trace);
}
