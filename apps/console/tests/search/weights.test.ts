import { describe, expect, it } from '@jest/globals';
import type { Relevance } from '../../src/search/queries.ts';
import { moveOf, weightChanges, withWeight } from '../../src/search/weights.ts';

describe('a changed weight', () => {
  it('counts on every site, also where a site has its own', () => {
    const settings = {
      weights: { height: 2 },
      sites: { '1': { weights: { smoking: 3, height: 4 } }, '2': { discover: true } },
    } as unknown as Relevance;
    expect(withWeight(settings, 'smoking', 9)).toEqual({
      weights: { height: 2, smoking: 9 },
      sites: { '1': { weights: { smoking: 9, height: 4 } }, '2': { discover: true } },
    });
  });

  it('is listed for every site, and for each with its own', () => {
    const settings = {
      weights: { height: 2 },
      sites: { '1': { weights: { smoking: 3 } }, '2': { discover: true } },
    } as unknown as Relevance;
    expect(weightChanges(settings, { smoking: 9, height: 5 })).toEqual([
      { site: undefined, name: 'smoking', from: undefined, to: 9 },
      { site: '1', name: 'smoking', from: 3, to: 9 },
      { site: undefined, name: 'height', from: 2, to: 5 },
    ]);
  });

  it.each([
    [{ rank: 2, other_rank: 5 }, true, 3],
    [{ rank: 5, other_rank: 2 }, true, -3],
    [{ rank: 2, other_rank: 5 }, false, -3],
    [{ rank: 4, other_rank: 4 }, true, 0],
    [{ rank: 4, other_rank: null }, true, 'new'],
    [{ rank: 4, other_rank: null }, false, 'gone'],
  ])('moves %o (changed: %s) by %s', (member, isChanged, move) => {
    expect(moveOf(member, isChanged)).toBe(move);
  });
});
