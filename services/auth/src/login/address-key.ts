import { isIPv6 } from 'node:net';

const groups = (text: string) => text.split(':').filter(Boolean);

/** The 16-bit groups of an IPv6 address, with `::` filled in. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = address.split('::');
  if (tail === undefined) return groups(head);
  const missing = 8 - groups(head).length - groups(tail).length;
  return [...groups(head), ...Array.from({ length: Math.max(0, missing) }, () => '0'), ...groups(tail)];
}

/**
 * Under which key the failures of an address are counted: IPv4 as it is, IPv6 by its /64, because one connection
 * commands all of that.
 */
export function addressKey(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  return isIPv6(address) ? groupsOf(address.toLowerCase()).slice(0, 4).join(':') : address;
}
