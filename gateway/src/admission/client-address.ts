import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/**
 * The client's address: that of the connection, or, behind `trustedProxies` proxies, the one that the outermost of them
 * saw. What the client itself put into X-Forwarded-For stands further left and is never reached.
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

/** An IPv4 address that arrived on an IPv6 socket in its usual spelling. */
const plain = (address: string): string =>
  address.startsWith('::ffff:') && address.includes('.') ? address.slice('::ffff:'.length) : address;
