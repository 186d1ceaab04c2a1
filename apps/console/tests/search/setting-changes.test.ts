import { describe, expect, it } from '@jest/globals';
import { settingChanges } from '../../src/search/setting-changes.ts';

const changes = (from: unknown, to: unknown) => settingChanges(from, to, 'default');

describe('the changes of settings', () => {
  it('name each value by its path, and what is not set as the default', () => {
    const before = { weights: { smoking: 3 }, text: { fuzziness: 'AUTO:5,8' }, discover: false };
    const after = { weights: { height: 2 }, text: { fuzziness: '0' }, discover: false };
    expect(changes(before, after)).toEqual([
      'weights.smoking: 3 → default',
      'weights.height: default → 2',
      'text.fuzziness: AUTO:5,8 → 0',
    ]);
    expect(changes({ relevance: { discover: true } }, { relevance: null })).toEqual([
      'relevance.discover: true → default',
    ]);
    expect(changes(before, structuredClone(before))).toEqual([]);
  });

  it('list the entries that a list gets and loses, whatever their order', () => {
    const before = { de: { synonyms: ['hund, welpe', 'haus'] }, en: { protected: ['gaming'] } };
    const after = { de: { synonyms: ['', 'haus', 'katze, mieze'] }, fr: { synonyms: ['chien'] } };
    expect(changes(before, after)).toEqual([
      'de.synonyms + katze, mieze',
      'de.synonyms − hund, welpe',
      'en.protected − gaming',
      'fr.synonyms + chien',
    ]);
  });
});
