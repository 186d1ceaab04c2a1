import { isIPv6 } from 'node:net';

/**
 * What limits count an address under: IPv4 as it is, also where it arrived on an IPv6 socket; IPv6 by its /64, which is what
 * one customer is given and commands all of.
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
 * What turns are taken under, of a key that `addressKey` gives: IPv6 by its /48, because one holder may command every /64 of
 * it. Others of the same /48 share its turns and are refused no sooner by any limit. Every other key stays as it is.
 */
export function networkKey(key: string): string {
  const groups = key.split(':');
  return groups.length === 4 ? groups.slice(0, 3).join(':') : key;
}
