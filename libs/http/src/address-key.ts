import { isIPv6 } from 'node:net';

/**
 * The key under which limits count an address: an IPv4 address, or the /64 prefix of an IPv6 address, which
 * one customer controls.
 */
export function addressKey(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('%', 1).join('').split('::');
  const left = head ? head.split(':') : [];
  const right = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array<string>(Math.max(0, zeros)).fill('0'), ...right];
  return groups
    .slice(0, 4)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''))
    .join(':');
}

/**
 * The key for fair queueing: the /48 prefix of an IPv6 address, because one holder may control every /64 in
 * it. Rate limits are not affected; other keys stay as they are.
 */
export function networkKey(key: string): string {
  const groups = key.split(':');
  return groups.length === 4 ? groups.slice(0, 3).join(':') : key;
}
