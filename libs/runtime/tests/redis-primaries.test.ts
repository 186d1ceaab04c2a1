import { describe, expect, it } from '@jest/globals';
import { assert, property, string } from 'fast-check';
import { slotOf } from '../src/redis-primaries.ts';

describe('the slot of a key', () => {
  it.each([
    ['123456789', 12_739],
    ['foo', 12_182],
    ['', 0],
    ['{}{a}', 13_650],
    ['foo{{bar}}zap', 4_015],
    ['é', 10_180],
  ])('is that of Redis: %j', (key, slot) => {
    expect(slotOf(key)).toBe(slot);
  });

  it('is that of the part in its first braces, if there is one', () => {
    const outside = string().map((text) => text.replaceAll('{', ''));
    const tag = string({ minLength: 1 }).map((text) => `t${text.replaceAll('}', '')}`);
    assert(
      property(outside, tag, string(), (before, inside, after) => {
        expect(slotOf(`${before}{${inside}}${after}`)).toBe(slotOf(`{${inside}}`));
      }),
    );
  });
});
