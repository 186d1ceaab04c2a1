import { describe, expect, it } from '@jest/globals';
import { languagesWith, lineOf, rulesIn } from '../../src/search/synonym-text.ts';

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
      de: { synonyms: ['hund, welpe'], stemmer: 'German', protected: ['gaming'] },
      en: { synonyms: ['dog, puppy'], protected: [] },
    };
    expect(languagesWith(languages, { de: '', en: '', fr: 'chien, chiot' })).toEqual({
      de: { synonyms: [], stemmer: 'German', protected: ['gaming'] },
      fr: { synonyms: ['chien, chiot'], protected: [] },
    });
  });
});
