import { describe, expect, it } from '@jest/globals';
import { parseSites } from '@covalence/contract/sites';
import { readFileSync } from 'node:fs';
import { seededJudgments } from '../../src/judgments/seeded-judgments.ts';

/** As `pnpm covalence relevance` takes it where nothing else is said. */
const sitesFile = new URL('../../../config/sites.json', import.meta.url);
const sites = parseSites(JSON.parse(readFileSync(sitesFile, 'utf8')));
const { members, searches } = seededJudgments(2_000, sites);

const traitsOf = new Map(members.map(({ id, traits }) => [id, traits]));

const byWords = searches.filter(({ criteria }) => !('location' in criteria));

/** The values of a field among the good and just right members of a search. */
const goodSay = (typed: string, field: string) => {
  const search = byWords.find(({ name }) => name.startsWith(`${typed}: `));
  const good = Object.entries(search?.grades ?? {}).filter(([, grade]) => grade >= 2);
  return good.map(([id, grade]) => [grade, traitsOf.get(Number(id))?.[field]]);
};

describe('the seeded judgment set', () => {
  it('has searches for all wishes of a member, and searches by words', () => {
    expect(new Set(searches.map(({ name }) => name)).size).toBe(searches.length);
    expect([searches.length - byWords.length, byWords.length]).toEqual([60, 16]);
    const asked = byWords.flatMap(({ criteria }) => Object.keys(criteria));
    expect(new Set(asked)).toEqual(
      new Set(['age', 'keywords', 'f_book', 'f_magazine', 'f_sport', 'f_type_of_food']),
    );
  });

  it('grades searches by words by interests and favorites', () => {
    const gardeners = goodSay('gardening', 'i_gardening');
    expect(gardeners.length).toBeGreaterThan(20);
    expect(gardeners.filter(([grade, says]) => says !== (grade === 3 ? 40 : 30))).toEqual([]);
    expect(new Set(goodSay('bon appetit', 'f_magazine').map(([, says]) => says))).toEqual(
      new Set(['Bon Appétit']),
    );
  });

  it('contains the searched texts', () => {
    const texts = members.filter(({ traits }) => traits['about_me'] && traits['headline']);
    expect(texts).toHaveLength(members.length);
  });
});
