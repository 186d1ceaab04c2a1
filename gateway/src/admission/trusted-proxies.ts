import type { Clock } from '@covalence/runtime/clock';
import type { Logger } from '@covalence/runtime/logger';
import type { Metrics } from '@covalence/runtime/metrics';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/** Mismatches between TRUSTED_PROXIES and requests, and what to do about each. */
const mismatches = {
  untrusted:
    'X-Forwarded-For arrives and TRUSTED_PROXIES is 0: behind a proxy all members share its address and its limits; ' +
    'set TRUSTED_PROXIES to the number of proxies in front, or drop the header where there is none',
  missing:
    'X-Forwarded-For has fewer addresses than TRUSTED_PROXIES: requests come past a proxy, or the number is too large; ' +
    'let only the proxies reach the gateway, or lower TRUSTED_PROXIES',
  unnamed:
    'PUBLIC_URL is https and no proxy says who the client is: all members share one address and its limits; ' +
    'let the proxy that ends TLS send X-Forwarded-For, and set TRUSTED_PROXIES',
} as const;

type Mismatch = keyof typeof mismatches;

/** Interval between two warnings of one kind: clients can cause some, and must not fill the log. */
const warnEveryMs = 3_600_000;

const mismatchOf = (hops: number, trustedProxies: number, isHttps: boolean): Mismatch | undefined => {
  if (trustedProxies === 0) {
    if (hops > 0) return 'untrusted';
    return isHttps ? 'unnamed' : undefined;
  }
  return hops < trustedProxies ? 'missing' : undefined;
};

/** Counts addresses in X-Forwarded-For; Node has joined repeated headers. */
const hopsIn = ({ headers }: IncomingMessage): number => {
  const forwarded = headers['x-forwarded-for'];
  if (forwarded === undefined) return 0;
  return String(forwarded)
    .split(',')
    .filter((hop) => hop.trim() !== '').length;
};

/** Options of the check. */
interface ProxyCheckOptions {
  /** TRUSTED_PROXIES. */
  readonly trustedProxies: number;
  /** PUBLIC_URL: with https a proxy must end TLS, because the gateway itself speaks plain HTTP. */
  readonly publicUrl: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly clock: Clock;
}

/** Creates the check. It counts mismatches in `proxy_misfits_total` and logs each kind once an hour. */
export function createProxyCheck(options: ProxyCheckOptions): (request: IncomingMessage) => void {
  const { trustedProxies, publicUrl, logger, metrics, clock } = options;
  const isHttps = publicUrl.startsWith('https:');
  const warnedAt = new Map<Mismatch, number>();
  return (request) => {
    const kind = mismatchOf(hopsIn(request), trustedProxies, isHttps);
    if (!kind) return;
    metrics.proxyMisfits.inc({ kind });
    const now = clock().getTime();
    if (now - (warnedAt.get(kind) ?? -Infinity) < warnEveryMs) return;
    warnedAt.set(kind, now);
    logger.warn({ kind, trusted_proxies: trustedProxies }, mismatches[kind]);
  };
}

/**
 * The client's address: that of the connection, or behind `trustedProxies` proxies the one that the outermost proxy saw. Addresses
 * that the client itself puts into X-Forwarded-For are further left and ignored.
 */
export function clientAddress(request: IncomingMessage, trustedProxies: number): string {
  const own = request.socket.remoteAddress ?? '';
  if (!trustedProxies) return plain(own);
  const header = request.headers['x-forwarded-for'];
  const hops = (Array.isArray(header) ? header.join(',') : (header ?? ''))
    .split(',')
    .map((hop) => hop.trim());
  const seen = hops.at(-trustedProxies) ?? '';
  return plain(isIP(seen) ? seen : own);
}

/** Unmaps an IPv4 address of an IPv6 socket. */
const plain = (address: string): string =>
  address.startsWith('::ffff:') && address.includes('.') ? address.slice('::ffff:'.length) : address;
