import type { TraceHeaders } from '@covalence/runtime/tracing';
import type { IncomingMessage } from 'node:http';

/** Hop-by-hop headers (RFC 9110, 7.6.1), headers that only the gateway sets, and response headers. */
const notPassedOn = new Set([
  'connection',
  'proxy-connection',
  'keep-alive',
  'te',
  'trailer',
  'upgrade',
  'expect',
  'set-cookie',
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
  'x-request-id',
  // The forwarded body gets its own framing.
  'transfer-encoding',
]);

/** The Connection header may name further headers to drop, but never those that frame the request. */
const alwaysKept = new Set(['host', 'content-length', 'transfer-encoding', 'authorization', 'content-type']);

const named = (connection: string | undefined): string[] =>
  connection === undefined || connection === 'keep-alive' || connection === 'close'
    ? []
    : connection
        .toLowerCase()
        .split(',')
        .map((name) => name.trim())
        .filter((name) => !alwaysKept.has(name));

/** Facts about the client for the services. */
export interface ForwardedFacts {
  readonly requestId: string;
  readonly address: string;
  /** Whether X-Forwarded-Host and -Proto come from a trusted proxy. */
  readonly behindProxy: boolean;
  /** Trace headers of the gateway's span. */
  readonly trace: TraceHeaders;
}

const schemeOf = (request: IncomingMessage, behindProxy: boolean): string => {
  const scheme = request.headers['x-forwarded-proto'];
  if (behindProxy && (scheme === 'https' || scheme === 'http')) return scheme;
  return 'encrypted' in request.socket ? 'https' : 'http';
};

const hostOf = ({ headers }: IncomingMessage, behindProxy: boolean): string => {
  const host = headers['x-forwarded-host'];
  return behindProxy && typeof host === 'string' && /^[\w.:[\]-]+$/.test(host) ? host : (headers.host ?? '');
};

/**
 * The headers for a service: the client's without hop-by-hop headers. X-Forwarded-*, X-Request-Id and the trace are the gateway's;
 * Host and Authorization are unchanged.
 */
export function requestHeaders(request: IncomingMessage, facts: ForwardedFacts): Record<string, string> {
  const { headers } = request;
  const dropped = named(headers.connection);
  const passed: Record<string, string> = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (typeof value === 'string' && !notPassedOn.has(name) && !dropped.includes(name)) passed[name] = value;
  }
  passed['x-request-id'] = facts.requestId;
  passed['x-forwarded-for'] = facts.address;
  passed['x-forwarded-proto'] = schemeOf(request, facts.behindProxy);
  passed['x-forwarded-host'] = hostOf(request, facts.behindProxy);
  return Object.assign(passed, facts.trace);
}

/** Headers whose repetition different programs read differently. */
const single = new Set(['host', 'authorization', 'dpop']);

const lengths = new Set([...single].map(({ length }) => length));

/** Whether a request repeats Host (RFC 9112, 3.2), Authorization or DPoP (RFC 9449, 4.3). Node silently keeps the first, so this reads the raw headers. */
export function hasRepeatedHeader({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): boolean {
  let seen = '';
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (!lengths.has(name.length)) continue;
    const lower = name.toLowerCase();
    if (!single.has(lower)) continue;
    if (seen.includes(lower)) return true;
    seen += `${lower} `;
  }
  return false;
}
