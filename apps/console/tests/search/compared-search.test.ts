import { describe, expect, it } from '@jest/globals';
import { comparedIn } from '../../src/search/compared-search.ts';

const id = '01890a5d-ac96-774b-bcce-b302099a8057';

describe('a link to the page that compares', () => {
  it('names a search of a set, a run and the shadow index', () => {
    const link = { set: id, search: id, run: id, index: 'shadow' };
    expect(comparedIn(link)).toEqual(link);
  });

  it.each([
    [{ set: id, index: 'shadow' }, {}],
    [
      { set: id, search: id, index: 'previous' },
      { set: id, search: id },
    ],
    [{ set: '../../members', search: id }, {}],
    [
      { set: id, search: id, run: '../settings' },
      { set: id, search: id },
    ],
  ])('%j is read as %j', (given, expected) => {
    expect(comparedIn(given)).toEqual(expected);
  });
});
