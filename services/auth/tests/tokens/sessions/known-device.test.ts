import { describe, expect, it } from '@jest/globals';
import { createSeal } from '../../../src/keys/seal.ts';
import { readDevice } from '../../../src/tokens/sessions/known-device.ts';

const seal = createSeal(['a secret of the unit tests, long enough']);

describe('known browsers', () => {
  it('are known only for the accounts that signed in with them', () => {
    const first = readDevice(undefined, seal).withAccount({ _id: 'a' });
    const both = readDevice(first, seal).withAccount({ _id: 'b' });
    const device = readDevice(both, seal);
    expect(['a', 'b', 'c'].map((_id) => device.knows({ _id }))).toEqual([true, true, false]);
    const [, mac] = first.split('.');
    expect(readDevice(`${'A'.repeat(22)}.${mac}`, seal).knows({ _id: 'a' })).toBe(false);
    expect(readDevice('x.y.z', seal).knows({ _id: 'a' })).toBe(false);
  });
  it('are remembered for the last five accounts', () => {
    const accounts = ['a', 'b', 'c', 'd', 'e', 'f'];
    const cookie = accounts.reduce<string | undefined>(
      (before, _id) => readDevice(before, seal).withAccount({ _id }),
      undefined,
    );
    const device = readDevice(cookie, seal);
    expect(accounts.filter((_id) => device.knows({ _id }))).toEqual(['b', 'c', 'd', 'e', 'f']);
  });
});
