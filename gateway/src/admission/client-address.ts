import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

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
