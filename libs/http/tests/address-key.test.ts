import { describe, expect, it } from '@jest/globals';
import { addressKey, networkKey } from '../src/address-key.ts';

describe('the rate limit key of an address', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
  ])('%s counts as %s', (address, key) => {
    expect(addressKey(address)).toBe(key);
  });
});

describe('the fair queueing key of a network', () => {
  it.each([
    ['2001:db8:1:2', '2001:db8:1'],
    ['0:0:0:0', '0:0:0'],
    ['203.0.113.9', '203.0.113.9'],
    ['0190a5b2-3c4d-7e5f-8a9b-0c1d2e3f4a5b', '0190a5b2-3c4d-7e5f-8a9b-0c1d2e3f4a5b'],
  ])('of %s is %s', (key, network) => {
    expect(networkKey(key)).toBe(network);
  });
});
