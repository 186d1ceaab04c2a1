import { describe, expect, it } from '@jest/globals';
import type { SearchSettings } from '../../src/search/queries.ts';
import { changeIn, draftChanges, settingsText } from '../../src/search/settings-draft.ts';

const relevance = { discover: false, weights: { smoking: 3 } } as unknown as SearchSettings['file'];
const base: SearchSettings = {
  version: 0,
  versions: [],
  languages: { en: { synonyms: ['dog, puppy'], protected: [] } },
  relevance: null,
  file: relevance,
};
const draft = (content: unknown) => ({ base, json: JSON.stringify(content) });

describe('settings that are edited as text', () => {
  it('begin as those in force, which change nothing', () => {
    const same = { base, json: settingsText(base) };
    expect([changeIn(same), draftChanges(same, 'default')]).toEqual([undefined, []]);
  });

  it('change the parts that differ, so that a part of the file of the service stays one', () => {
    const languages = { en: { synonyms: ['dog, puppy'], stemmer: 'English', protected: ['gaming'] } };
    const changed = draft({ languages, relevance });
    expect(changeIn(changed)).toEqual({ languages });
    expect(draftChanges(changed, 'default')).toEqual([
      'languages.en.protected + gaming',
      'languages.en.stemmer: default → English',
    ]);
    expect(changeIn(draft({ relevance: { ...relevance, discover: true } }))).toEqual({
      relevance: { ...relevance, discover: true },
    });
    // A file of the command line has a version, and may have null for the file of the service.
    expect(changeIn(draft({ version: 3, languages: base.languages, relevance: null }))).toEqual({
      relevance: null,
    });
  });

  it.each(['', '{"relevance":', '5', 'null'])('change nothing while they are %j', (json) => {
    expect(changeIn({ base, json })).toBeUndefined();
  });
});
