import { describe, expect, it } from '@jest/globals';
import {
  array,
  assert,
  constant,
  constantFrom,
  integer,
  oneof,
  property,
  stringMatching,
  tuple,
  uniqueArray,
} from 'fast-check';
import { hostUrls, joinHosts } from '../src/host-urls.ts';

const host = tuple(
  constantFrom('', 'rabbit-', 'a.b.c.', 'rabbitmq.svc-'),
  integer({ min: 0, max: 999 }),
  constantFrom('', ':1', ':5672', ':65535'),
).map(([name, number, port]) => `${name}h${number}${port}`);
const text = stringMatching(/^[ -~]{1,12}$/).map(encodeURIComponent);
const scheme = constantFrom('amqp', 'https', 'redis+cluster', 'redis+sentinel');
const credentials = array(text, { minLength: 1, maxLength: 2 }).map((parts) => `${parts.join(':')}@`);
const rest = constantFrom('', '/', '/vhost', '/%2F?heartbeat=10', '?x=1,2', '#f');

describe('an address with several hosts', () => {
  it.each([
    ['one host', 'amqp://h', ['amqp://h']],
    [
      'credentials, ports and a path',
      'amqp://user:p%40ss@h1:5672,h2:5673/vhost',
      ['amqp://user:p%40ss@h1:5672/vhost', 'amqp://user:p%40ss@h2:5673/vhost'],
    ],
    ['a path prefix', 'https://h1,h2/prefix', ['https://h1/prefix', 'https://h2/prefix']],
    ['IPv6', 'redis+cluster://[::1]:1,[::1]:2', ['redis+cluster://[::1]:1', 'redis+cluster://[::1]:2']],
    ['a comma in the password of one host', 'redis://:a,b@h', ['redis://:a,b@h']],
  ])('is one URL for each host: %s', (_what, address, urls) => {
    expect(hostUrls(address)).toEqual(urls);
    expect(joinHosts(urls)).toBe(address);
  });

  it('keeps everything but the hosts, whatever they are', () => {
    assert(
      property(
        scheme,
        oneof(constant(''), credentials),
        uniqueArray(host, { minLength: 1, maxLength: 5 }),
        rest,
        (name, who, hosts, after) => {
          const expected = hosts.map((one) => `${name}://${who}${one}${after}`);
          expect(hostUrls(`${name}://${who}${hosts.join(',')}${after}`)).toEqual(expected);
        },
      ),
    );
  });

  it.each([
    ['no scheme', 'h1:5672,h2:5672'],
    ['no host', 'amqp://'],
    ['no host but credentials', 'amqp://user:password@/vhost'],
    ['an empty host', 'amqp://h1,,h2'],
    ['a comma at the end', 'amqp://h1,'],
    ['a space', 'amqp://h1, h2'],
    ['a port that is none', 'amqp://h1:5672,h2:x'],
    ['a port out of range', 'amqp://h1:5672,h2:65536'],
    ['a scheme for each host', 'amqp://h1:5672,amqp://h2:5672'],
    ['credentials for each host', 'amqp://user:p@h1,user:p@h2'],
    ['the same host twice', 'amqp://h1:5672,H1:5672'],
  ])('is refused with %s', (_what, address) => {
    expect(hostUrls(address)).toBeUndefined();
  });
});
