import { fuzzing } from '@covalence/testing/fuzzing';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { bucketsFor, listsWith, merge } from '../../src/relations/merge-relations.ts';
import { packIds, unpackIds } from '../../src/relations/packed-ids.ts';
import { isListed, type Entry } from '../../src/relations/relation.ts';

describe('merging changes', () => {
  const at = 1_000_000_000;
  const entry = fc.record({
    other: fc.integer({ min: 1, max: 5 }),
    step: fc.integer({ min: 1, max: 40 }),
  });
  // A pair's state follows from its version, as in the database.
  const entries = fc.array(
    entry.map(({ other, step }): Entry => [
      other,
      at + step,
      (other * step) % 4 ? 4 : 0,
      step % 3 ? 0 : at + step,
    ]),
  );

  it('gives the newest of each, whatever comes twice, late or in another order', () => {
    fc.assert(
      fc.property(entries, fc.array(fc.nat()), (changes, order) => {
        const shuffled = changes
          .map((change, index) => ({ change, key: order[index] ?? index }))
          .sort((one, other) => one.key - other.key)
          .map(({ change }) => change);
        const once = merge([], changes, at);
        const twice = merge(merge(merge([], shuffled, at), changes, at), shuffled, at);
        expect(new Set(twice.map(String))).toEqual(new Set(once.map(String)));
        for (const [other, version] of once) {
          expect(version).toBe(Math.max(...changes.filter((one) => one[0] === other).map((one) => one[1])));
        }
      }),
      fuzzing(),
    );
  });

  it('forgets what excludes nobody only when nothing older can come', () => {
    const undone: Entry = [7, at, 0, 0];
    expect(merge([[7, at - 5, 4, 0]], [undone], at + 1_000)).toEqual([undone]);
    expect(merge([undone], [[7, at - 5, 4, 0]], at + 1_000)).toEqual([undone]);
    expect(merge([undone], [], at + 3_600_000)).toEqual([]);
    expect(isListed([7, at, 0, at + 5], 'all', at + 5)).toBe(false);
  });

  it('keeps on the lists whose documents are not written, and nobody of the others but who is in them now', () => {
    const before = { all: packIds([1, 2, 3, 4]), declines: packIds([1, 2]), likes: packIds([4]) };
    const entries: Entry[] = [
      [2, at, 8, 0],
      [6, at, 0, at + 5],
      [8, at, 0, at],
    ];
    const after = listsWith(before, entries, (other) => other % 2 === 0, at);
    const ids = Object.entries(after).map(([list, packed]) => [list, unpackIds(packed)]);
    expect(Object.fromEntries(ids)).toEqual({ all: [1, 2, 3, 6], declines: [1], likes: [2], passes: [6] });
  });

  it('spreads over as many documents as the ids need, never fewer than there are', () => {
    expect([0, 32_768, 32_769, 65_537, 140_000].map((total) => bucketsFor(total))).toEqual([1, 1, 2, 4, 8]);
    expect(bucketsFor(10, 8)).toBe(8);
  });
});
