import { expect, it } from '@jest/globals';
import { fits } from '../../src/service/saved-reasons.ts';

it.each([
  ['is of every site', undefined, [1, 2], true],
  ['is of the sites of all decisions', [1, 2, 3], [1, 2], true],
  ['is of the site of one of the decisions only', [1], [1, 2], false],
])('offers a saved reason by sites: it %s', (_title, siteids, sites, offered) => {
  const reason = { kinds: ['photo' as const], ...(siteids && { siteids }) };
  expect(fits(reason, 'photo', sites)).toBe(offered);
  expect(fits(reason, 'text', sites)).toBe(false);
});
