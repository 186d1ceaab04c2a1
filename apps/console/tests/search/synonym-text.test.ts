import { describe, expect, it } from '@jest/globals';
import { languagesWith, lineOf, rulesIn, textOf } from '../../src/search/synonym-text.ts';

describe('the text of synonyms', () => {
  it('has a rule for each line, also for empty ones between, so that problems name the line', () => {
    expect(rulesIn('dog, puppy\r\n\n# pets\n cat => feline \n\n')).toEqual([
      'dog, puppy',
      '',
      '# pets',
      'cat => feline',
    ]);
    expect(lineOf({ path: 'languages.en.synonyms.3' })).toEqual({ language: 'en', line: 4 });
    expect(lineOf({ path: 'languages.en.stemmer' })).toBeUndefined();
  });

  it('changes the rules of a language and nothing else', () => {
    const languages = {
      de: { synonyms: ['hund, welpe'], stemmer: 'German' as const, protected: ['gaming'] },
      en: { synonyms: ['dog, puppy'], protected: [] },
    };
    const empty = { rules: '', stemmer: undefined, words: '' };
    expect(
      languagesWith(languages, {
        de: { ...textOf(languages.de), rules: '' },
        en: empty,
        fr: { ...empty, rules: 'chien, chiot' },
      }),
    ).toEqual({
      de: { synonyms: [], stemmer: 'German', protected: ['gaming'] },
      fr: { synonyms: ['chien, chiot'], protected: [] },
    });
    expect(languagesWith(languages, { de: textOf(languages.de), en: textOf(languages.en) })).toEqual(
      languages,
    );
  });

  it('changes the stemmer and the words that it leaves alone', () => {
    const english = { rules: 'dog, puppy', stemmer: 'English', words: ' gaming  news ' } as const;
    expect(languagesWith({}, { en: english })).toEqual({
      en: { synonyms: ['dog, puppy'], stemmer: 'English', protected: ['gaming', 'news'] },
    });
  });
});
