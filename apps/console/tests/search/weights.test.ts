import { describe, expect, it } from '@jest/globals';
import type { Relevance } from '../../src/search/queries.ts';
import { equalsOf, moveOf, weightChanges, withWeight } from '../../src/search/weights.ts';

describe('a weight among equals', () => {
  const settings = {
    weights: {},
    among_equals: { weights: { activity: 4, photo: 2 }, active_days: 60 },
    sites: { '1': { among_equals: { newness: 3 } }, '2': {} },
  } as unknown as Relevance;
  const photo = 'among_equals.photo';

  it('is that of the site where it has its own, else the general one, else 0', () => {
    expect(equalsOf(settings, '2')).toMatchObject({ [photo]: 2, 'among_equals.newness': 0 });
    expect(equalsOf(settings, '1')).toMatchObject({ [photo]: 0, 'among_equals.newness': 3 });
  });

  it('counts on every site, also where a site has its own', () => {
    expect(withWeight(settings, photo, 9)).toEqual({
      weights: {},
      among_equals: { weights: { activity: 4, photo: 9 }, active_days: 60 },
      sites: { '1': { among_equals: { newness: 3, photo: 9 } }, '2': {} },
    });
    expect(weightChanges(settings, { [photo]: 9 })).toEqual([
      { site: undefined, name: photo, from: 2, to: 9 },
      { site: '1', name: photo, from: 0, to: 9 },
    ]);
  });

  it('keeps the others where it becomes that of one site', () => {
    expect(withWeight(settings, photo, 0, '2')).toMatchObject({
      among_equals: { weights: { activity: 4, photo: 2 } },
      sites: { '2': { among_equals: { activity: 4, photo: 0 } } },
    });
  });
});

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

  it('counts on one site only where that is chosen', () => {
    const settings = { weights: { height: 2 }, sites: { '2': { discover: true } } } as unknown as Relevance;
    expect(withWeight(settings, 'height', 9, '2').sites).toEqual({
      '2': { discover: true, weights: { height: 9 } },
    });
    expect(withWeight(settings, 'height', 9, '1')).toMatchObject({
      weights: { height: 2 },
      sites: { '1': { weights: { height: 9 } }, '2': { discover: true } },
    });
    expect(weightChanges(settings, { height: 9 }, '2')).toEqual([
      { site: '2', name: 'height', from: 2, to: 9 },
    ]);
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
