import { describe, expect, it } from '@jest/globals';
import type { SearchSettings } from '../../src/search/queries.ts';
import { areLanguages, isRanking } from '../../src/search/settings-shape.ts';
import { equalsOf, weightChanges } from '../../src/search/weights.ts';
import { textOf } from '../../src/search/synonym-text.ts';
import {
  changeIn,
  draftChanges,
  draftNote,
  draftOf,
  draftOn,
  isChanged,
  languagesIn,
  rankingUnder,
  settingsText,
  withJson,
  withTexts,
  withWeights,
} from '../../src/search/settings-draft.ts';

const relevance = {
  discover: false,
  weights: { smoking: 3 },
  among_equals: { weights: {} },
  sites: {},
} as unknown as SearchSettings['file'];
const base: SearchSettings = {
  version: 0,
  versions: [],
  languages: { en: { synonyms: ['dog, puppy'], protected: [] } },
  relevance: null,
  file: relevance,
};
const typed = (content: unknown) => withJson(draftOf(base), JSON.stringify(content));
/** Texts by their keys and values. */
const text = (key: string, values: object = {}) => [key, ...Object.values(values)].join(' ');
const english = (rules: string) => ({ en: { rules, stemmer: undefined, words: '' } });

describe('settings that are edited as text', () => {
  it('begin as those in force, which change nothing', () => {
    const same = withJson(draftOf(base), settingsText(draftOf(base)));
    expect([changeIn(same), draftChanges(same, text), isChanged(same)]).toEqual([undefined, [], false]);
  });

  it('change the parts that differ, so that a part of the file of the service stays one', () => {
    const languages = { en: { synonyms: ['dog, puppy'], stemmer: 'English', protected: ['gaming'] } };
    const changed = typed({ languages, relevance });
    expect(changeIn(changed)).toEqual({ languages });
    expect(draftChanges(changed, text)).toEqual([
      'languages.en.protected + gaming',
      'languages.en.stemmer: search.changes.default → English',
    ]);
    expect(changeIn(typed({ relevance: { ...relevance, discover: true } }))).toEqual({
      relevance: { ...relevance, discover: true },
    });
    // A file of the command line has a version, and may have null for the file of the service.
    expect(changeIn(typed({ version: 3, languages: base.languages, relevance: null }))).toBeUndefined();
    const published = draftOf({ ...base, relevance });
    expect(changeIn(withJson(published, '{"relevance": null}'))).toEqual({ relevance: null });
  });

  it.each(['', '{"relevance":', '5', 'null'])('change nothing while they are %j, and are kept', (json) => {
    const draft = withJson(draftOf(base), json);
    expect([changeIn(draft), isChanged(draft), settingsText(draftOn(base, draft))]).toEqual([
      undefined,
      true,
      json,
    ]);
  });
});

describe('settings that omit parts', () => {
  it('have empty ones, so that sliders and rules can change them', () => {
    const ranking = typed({ relevance: { weights: {} } });
    const whole = { weights: {}, among_equals: { weights: {} }, sites: {} };
    expect(changeIn(ranking)).toEqual({ relevance: whole });
    expect(equalsOf(rankingUnder(ranking), '2')).toMatchObject({ 'among_equals.photo': 0 });
    expect(weightChanges(rankingUnder(ranking), { smoking: 9 })).toHaveLength(1);
    expect(changeIn(withWeights(ranking, { weights: { smoking: 9 }, site: '2' }))).toEqual({
      relevance: { ...whole, sites: { '2': { weights: { smoking: 9 } } } },
    });
    const rules = typed({ languages: { en: { synonyms: ['cat, kitten'] }, de: { stemmer: 'German' } } });
    expect(textOf(languagesIn(rules)['en'])).toEqual({ rules: 'cat, kitten', stemmer: undefined, words: '' });
    expect(changeIn(withTexts(rules, english('cat')))).toEqual({
      languages: {
        en: { synonyms: ['cat'], protected: [] },
        de: { synonyms: [], stemmer: 'German', protected: [] },
      },
    });
    expect(changeIn(typed({ languages: { en: { synonyms: ['dog, puppy'] } } }))).toBeUndefined();
  });

  it.each([
    5,
    [],
    { weights: 5 },
    { weights: { smoking: null } },
    { among_equals: [] },
    { among_equals: { weights: 'photo' } },
    { sites: [] },
    { sites: { '2': null } },
    { sites: { '2': { weights: [] } } },
  ])('are kept, and not for sliders, where the ranking is %j', (read) => {
    const draft = typed({ relevance: read });
    expect([isRanking(rankingUnder(draft)), isChanged(draft)]).toEqual([false, true]);
  });

  it.each([
    5,
    [],
    { en: null },
    { en: { synonyms: 'dog' } },
    { en: { protected: [5] } },
    { en: { stemmer: 5 } },
  ])('are kept, and not for the editor of rules, where the languages are %j', (read) => {
    const draft = typed({ languages: read });
    expect([areLanguages(languagesIn(draft)), isChanged(draft)]).toEqual([false, true]);
  });

  it('are for sliders and the editor as they are in force', () => {
    expect([isRanking(rankingUnder(draftOf(base))), areLanguages(base.languages)]).toEqual([true, true]);
  });
});

describe('a draft', () => {
  it('has the changes of every page together', () => {
    const draft = withWeights(withTexts(draftOf(base), english('dog, puppy\ncat, kitten ')), {
      weights: { smoking: 9 },
    });
    const languages = { en: { synonyms: ['dog, puppy', 'cat, kitten'], protected: [] } };
    const change = { languages, relevance: { ...relevance, weights: { smoking: 9 } } };
    expect(changeIn(draft)).toEqual(change);
    expect(JSON.parse(settingsText(draft))).toEqual(change);
    expect(draftChanges(draft, text)).toEqual([
      'search.changes.weight smoking 3 9',
      'languages.en.synonyms + cat, kitten',
      'search.changes.file',
    ]);
    expect(draftNote(draft, 'default')).toBe('en.synonyms + cat, kitten; smoking: 3 → 9');
    // A text replaces all of it.
    const other = withJson(draft, JSON.stringify({ languages: {} }));
    expect([changeIn(other), changeIn(withTexts(other, english('dog')))]).toEqual([
      { languages: {} },
      { languages: { en: { synonyms: ['dog'], protected: [] } } },
    ]);
  });

  it('is made anew from the settings in force where nothing is changed', () => {
    const newer = { ...base, version: 4, languages: {} };
    const same = withTexts(withWeights(draftOf(base), { weights: {}, site: '2' }), {
      ...english('dog, puppy'),
      nl: { rules: '', stemmer: undefined, words: '' },
    });
    expect(isChanged(same)).toBe(false);
    expect(draftOn(newer, same)).toMatchObject({ base: newer, site: '2', texts: { nl: { rules: '' } } });
    const changed = withTexts(same, english('cat'));
    expect(draftOn(newer, changed)).toBe(changed);
  });

  it('of an older version has the parts that differ from those in force', () => {
    expect(changeIn(draftOf(base, { languages: {}, relevance: null }))).toEqual({ languages: {} });
    expect(changeIn(draftOf(base, { languages: base.languages, relevance }))).toBeUndefined();
  });
});
