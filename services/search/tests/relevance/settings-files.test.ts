import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { criteria, criterionByName } from '@covalence/contract/catalogue/criteria';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readMapping } from '../../src/index/mapping.ts';
import { birthDates } from '../../src/relevance/birth-dates.ts';
import { readRelevance, siteRelevance } from '../../src/relevance/relevance-settings.ts';

const shipped = (name: string) => new URL(`../../settings/${name}.json`, import.meta.url);

describe('the settings files', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'settings-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  /** A file of `settings` with changes. */
  const changed = async (name: string, change: (file: Record<string, unknown>) => object) => {
    const path = join(folder, `${name}-${Math.random()}.json`);
    const file = JSON.parse(await readFile(shipped(name), 'utf8')) as Record<string, unknown>;
    await writeFile(path, JSON.stringify({ ...file, ...change(file) }));
    return path;
  };
  const traits = { coded: { type: 'keyword' }, range: { type: 'float' }, text: { type: 'text' } };

  it('map every field of a criterion', () => {
    const { properties } = readMapping(shipped('mapping'));
    const mapped = properties['traits'] as { properties: Record<string, { type: string }> };
    const columns = ['state', 'country', 'zip', 'online'];
    for (const { field, form, text } of criteria) {
      if (!field || columns.includes(field)) continue;
      const type = form === 'range' ? 'float' : text ? 'text' : 'keyword';
      expect([field, mapped.properties[field]?.type]).toEqual([field, type]);
    }
  });

  it('reject an override of an unknown field and a missing column; a change changes the fingerprint', async () => {
    const shippedPrint = readMapping(shipped('mapping')).fingerprint;
    const bogus = await changed('mapping', () => ({
      traits: { ...traits, overrides: { bogus: { type: 'long' } } },
    }));
    expect(() => readMapping(bogus)).toThrow('overrides bogus');
    const lacking = await changed('mapping', () => ({ properties: { id: { type: 'long' } } }));
    expect(() => readMapping(lacking)).toThrow('lacks position');
    const other = await changed('mapping', () => ({
      traits: { ...traits, overrides: { height: { type: 'short' } } },
    }));
    expect(readMapping(other).fingerprint).not.toBe(shippedPrint);
    // The number of shards of an index cannot change.
    const sharded = await changed('mapping', ({ settings }) => ({
      settings: { ...(settings as object), number_of_shards: 3 },
    }));
    expect(readMapping(sharded).fingerprint).not.toBe(shippedPrint);
    expect(readMapping(shipped('mapping')).fingerprint).toBe(shippedPrint);
  });

  it('reject weights of unknown criteria, zero weights, and reversed or empty distances', async () => {
    const cases: [change: object, message: string][] = [
      [{ weights: { bogus: 2 } }, 'is no criterion'],
      [{ weights: { age: 0 } }, '>=1'],
      [{ weights: { age: 1.5 } }, 'expected int'],
      [{ location: { full_miles: 50, zero_miles: 20 } }, 'must be below'],
      // Elasticsearch refuses a distance of 0.
      [{ location: { full_miles: 0, zero_miles: 20 } }, '>=0.1'],
      [{ range_reach: { smoking: 3 } }, 'is no range criterion'],
      [{ surprise: 1 }, 'surprise'],
      [{ text: undefined }, 'text'],
      [{ text: { fuzziness: 'AUTO', prefix_length: 3_000_000_000 } }, '<=255'],
      [{ text: { fuzziness: 'AUTO', prefix_length: 1, max_expansions: 0 } }, '>=1'],
      [{ text: { fuzziness: 'AUTO', prefix_length: 1, max_expansions: 201 } }, '<=200'],
      [{ online_minutes: 200_000_000_000 }, '<=525600'],
      [{ sites: { '02': {} } }, 'sites'],
      ...['', '3', 'AUTO:4', 'AUTO:4;8', 'auto', 'AUTO:8,4', 'AUTO:4,99999999999'].map(
        (fuzziness): [object, string] => [{ text: { fuzziness, prefix_length: 1 } }, 'is no fuzziness'],
      ),
    ];
    for (const [change, message] of cases) {
      const path = await changed('relevance', () => change);
      expect(() => readRelevance(path)).toThrow(message);
    }
  });

  it("prefer a site's values to general ones, and those to the catalogue's", async () => {
    const path = await changed('relevance', () => ({
      weights: { smoking: 7, height: 5 },
      sites: { '2': { age_tolerance_years: 4, weights: { smoking: 9 } } },
    }));
    const settings = readRelevance(path);
    const weights = (siteid: number) =>
      ['smoking', 'height', 'drinking'].map((name) => {
        const criterion = criterionByName(name);
        return criterion && siteRelevance(settings, siteid).weightOf(criterion);
      });
    expect(weights(1)).toEqual([7, 5, 2]);
    expect(weights(2)).toEqual([9, 5, 2]);
    expect([1, 2].map((siteid) => siteRelevance(settings, siteid).age_tolerance_years)).toEqual([2, 4]);
  });
});

describe('dates of birth by age', () => {
  it.each([
    ['2026-06-15', 28, 45, '1980-06-15', '1998-06-15'],
    ['2028-02-29', 18, 18, '2009-02-28', '2010-02-28'],
    ['2028-02-29', 20, 23, '2004-02-29', '2008-02-29'],
  ])('on %s, %i to %i', (today, from, to, gt, lte) => {
    expect(birthDates(new Date(`${today}T23:00:00Z`), from, to)).toEqual({ gt, lte });
  });
});
