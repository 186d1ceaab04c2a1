import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { expandText, newBudget } from '../../src/analysis/expand-text.ts';
import { readSettings } from '../../src/settings/read-settings.ts';
import { compileRules } from '../../src/analysis/synonyms.ts';
import { typosBetween } from '../../src/analysis/typos.ts';
import { fold, wordsOf } from '../../src/analysis/words.ts';

const standard = { fuzziness: 'AUTO:5,8', prefix_length: 1 };

/** The expansion of a text by these rules: alternatives by unit, with the unit itself first if it is searched. */
function expand(rules: readonly string[], text: string, settings = standard, budget = newBudget()) {
  const { root, problems } = compileRules(rules);
  expect(problems).toEqual([]);
  return expandText(text, root, settings, budget).map(({ words, isKept, alternatives }) =>
    [...(isKept ? [words] : []), ...alternatives.map((one) => one.words)].map((some) => some.join(' ')),
  );
}

const pets = ['dog, puppy', 'nyc, new york', 'soccer => football', 'cat => cat, kitten'];

describe('synonym rules', () => {
  it.each<[string, string, string[][]]>([
    ['two-way', 'dog', [['dog', 'puppy']]],
    ['two-way, the other way round', 'puppy', [['puppy', 'dog']]],
    ['one-way, instead of the word', 'soccer', [['football']]],
    ['one-way, beside the word', 'cat', [['cat', 'kitten']]],
    ['one-way, not back', 'football kitten', [['football'], ['kitten']]],
    ['several words for one', 'nyc', [['nyc', 'new york']]],
    ['one word for several', 'new york', [['new york', 'nyc']]],
    ['among other words', 'big dog in New York', [['big'], ['dog', 'puppy'], ['in'], ['New York', 'nyc']]],
    ['only a part of several words', 'new', [['new']]],
    [
      'in capitals, with accents and signs',
      'DÓG! (nyc)',
      [
        ['DÓG!', 'puppy'],
        ['(nyc)', 'new york'],
      ],
    ],
    ['part of a word with a hyphen', 'dog-walker', [['dog-walker']]],
    ['a typo', 'dogz', [['dogz', 'dog', 'puppy']]],
    ['a typo in one of several words', 'new yrok', [['new yrok', 'nyc', 'new york']]],
    ['a typo of a one-way word', 'socer', [['socer', 'football']]],
    ['no typo in a short word', 'dgo', [['dgo']]],
    ['no typo in the first letter', 'tuppy', [['tuppy']]],
    ['a text without words', '?!', [['?!']]],
  ])('match %s', (_title, text, units) => {
    expect(expand(pets, text)).toEqual(units);
  });

  it('add up, prefer the longest phrase and the exact word, and skip comments', () => {
    expect(expand(['# pets', 'dog, hound', 'dog, puppy'], 'dog')).toEqual([['dog', 'hound', 'puppy']]);
    expect(expand(['new, fresh', 'new york, nyc'], 'new york new')).toEqual([
      ['new york', 'nyc'],
      ['new', 'fresh'],
    ]);
    // "wine" is one letter from "wife", but has a rule of its own.
    expect(expand(['wife, spouse', 'wine => wine'], 'wine')).toEqual([['wine']]);
    expect(expand(['wife, spouse'], 'wine')).toEqual([['wine', 'wife', 'spouse']]);
  });

  it('take no typos where the settings do not, and two only where they do', () => {
    expect(expand(pets, 'dogz', { ...standard, fuzziness: '0' })).toEqual([['dogz']]);
    expect(expand(['football, soccer'], 'fotbal')).toEqual([['fotbal']]);
    expect(expand(['gardening, plants'], 'gardenig')).toEqual([['gardenig', 'gardening', 'plants']]);
    expect(expand(['gardening, plants'], 'gradenig')).toEqual([['gradenig', 'gardening', 'plants']]);
    expect(expand(['gardening, plants'], 'gradenig', { ...standard, fuzziness: '1' })).toEqual([
      ['gradenig'],
    ]);
  });

  it('stop at the limit of a search, also when a text repeats a phrase', () => {
    const budget = newBudget();
    const many = Array.from({ length: 20 }, (_, index) => `long${index} phrase of four`).join(', ');
    const units = expand([`a => ${many}`], 'a a a a a a a a', standard, budget);
    const words = units.flat().flatMap((text) => (text === 'a' ? [] : text.split(' ')));
    expect(words.length).toBeLessThanOrEqual(40);
    // A one-way word whose alternatives find no room is searched as it was typed.
    expect(units.at(-1)).toEqual(['a']);
  });
});

describe('a text with synonyms', () => {
  const word = fc.constantFrom('dog', 'puppy', 'new', 'york', 'nyc', 'cat', 'dogz', 'x', 'é', '-');
  const phrase = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '));
  const readable = phrase.filter((text) => /[a-zé]/.test(text));
  const rule = fc
    .tuple(fc.uniqueArray(readable, { minLength: 2, maxLength: 3 }), readable, fc.boolean())
    .map(([from, to, isOneWay]) => (isOneWay ? `${from.join(', ')} => ${to}` : from.join(', ')));

  it('keeps all of its words in order, and stays within the budget', () => {
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 8 }), fc.array(word, { maxLength: 60 }), (rules, typed) => {
        const text = typed.join(' ');
        const { root } = compileRules(rules);
        const units = expandText(text, root, standard, newBudget());
        expect(units.flatMap(({ words }) => words)).toEqual(wordsOf(text));
        const cost = units.flatMap(({ alternatives }) => alternatives.flatMap(({ words }) => words)).length;
        expect(cost).toBeLessThanOrEqual(newBudget().words);
        for (const { isKept, alternatives } of units) expect(isKept || alternatives.length).toBeTruthy();
      }),
      { seed: 20260615 },
    );
  });

  it('finds what two-way rules join in both directions', () => {
    fc.assert(
      fc.property(fc.uniqueArray(readable, { minLength: 2, maxLength: 4, selector: fold }), (phrases) => {
        const rules = [phrases.join(', ')];
        const found = (text: string) => expand(rules, text)[0]?.map(fold);
        const first = phrases[0] ?? '';
        for (const other of phrases.filter((one) => wordsOf(one).length === 1)) {
          expect(found(other)).toContain(fold(wordsOf(first).join(' ')));
        }
      }),
      { seed: 20260615 },
    );
  });

  /** The textbook recursion, without a bound. */
  const slow = (one: string, other: string): number => {
    if (!one || !other) return one.length + other.length;
    const [a, b] = [one.slice(1), other.slice(1)];
    if (one[0] === other[0]) return slow(a, b);
    const isSwapped = one.length > 1 && other.length > 1 && one[0] === other[1] && one[1] === other[0];
    const swapped = isSwapped ? slow(one.slice(2), other.slice(2)) : Infinity;
    return 1 + Math.min(slow(a, other), slow(one, b), slow(a, b), swapped);
  };

  it('counts typos as the textbook does', () => {
    const short = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 7 });
    fc.assert(
      fc.property(short, short, fc.integer({ min: 0, max: 2 }), (one, other, most) => {
        const typos = slow(one, other);
        expect(typosBetween(one, other, most)).toBe(typos <= most ? typos : Infinity);
      }),
      { seed: 20260615, numRuns: 500 },
    );
  });
});

/** A file with these rules, from its tenth line on. */
const fileOf = (synonyms: readonly string[], more: object = {}) =>
  JSON.stringify({ languages: { en: { synonyms: ['dog, puppy'] }, de: { synonyms, ...more } } }, null, 2);

describe('a file', () => {
  const twenty = Array.from({ length: 20 }, (_, index) => `w${index}`).join(', ');

  it.each([
    ['dog', 'has one phrase only'],
    ['dog =>', 'has no words on a side of =>'],
    ['=> dog', 'has no words on a side of =>'],
    ['a => b => c', 'has more than one =>'],
    ['dog, , puppy', 'has a comma too many'],
    ['dog, ?!', '"?!" has no letter or digit'],
    ['a, one two three four five', 'has 5 words, at most 4'],
    [`${twenty}, w20`, 'has 21 phrases on a side, at most 20'],
    [`a, ${'x'.repeat(51)}`, 'more than 50 letters'],
    ['a\\, b', 'has a backslash'],
  ])('with the rule %j is refused with its line', (rule, problem) => {
    // The line of the second German rule: the opening ones and seven of the other language before it.
    const text = fileOf(['hund, welpe', rule]);
    const line = text.split('\n').findLastIndex((one) => one.includes(JSON.stringify(rule))) + 1;
    expect(line).toBe(11);
    const start = `line ${line}: languages.de.synonyms: "${rule}" `;
    expect(() => readSettings(text)).toThrow(start);
    expect(() => readSettings(text)).toThrow(problem);
  });

  it.each([
    ['rules that find too much together', fileOf([`a => ${twenty}`, 'a => b']), '"a" finds more than 20'],
    ['an unknown stemmer', fileOf([], { stemmer: 'Klingon' }), 'line 10: languages.de.stemmer: "Klingon" '],
    ['protected words without a stemmer', fileOf([], { protected: ['haus'] }), 'protected needs a stemmer'],
    [
      'two words as a protected one',
      fileOf([], { stemmer: 'German', protected: ['a b'] }),
      'is not one word',
    ],
    ['a language by its name', JSON.stringify({ languages: { english: {} } }), 'is no language'],
    ['something else', '{"synonyms": []}', 'languages'],
    ['text that is no JSON', '{"languages"', 'JSON'],
    [
      'more phrases than fit',
      fileOf(Array.from({ length: 510 }, (_, rule) => twenty.replaceAll('w', `w${rule}x`))),
      '10000 phrases',
    ],
  ])('with %s is refused', (_title, text, problem) => {
    expect(() => readSettings(text)).toThrow(problem);
  });

  it('may have the version that it was made from, and indentation beyond its size', () => {
    const content = { version: 5, languages: { en: { synonyms: ['dog, puppy'] } } };
    expect(readSettings(JSON.stringify(content)).version).toBe(5);
    const rules = Array.from({ length: 4_000 }, () => '# ' + 'x'.repeat(100));
    const large = (count: number) => ({ languages: { en: { synonyms: rules.slice(0, count) } } });
    const text = JSON.stringify(large(4_000), null, 100);
    expect(text.length).toBeGreaterThan(500_000);
    expect(readSettings(text).languages?.['en']?.synonyms).toHaveLength(4_000);
    expect(() =>
      readSettings(JSON.stringify({ languages: { en: { synonyms: ['x'.repeat(500_000)] } } })),
    ).toThrow('has more than 500000 characters');
  });

  it('names every problem', () => {
    const text = fileOf(['dog', 'hund, welpe', 'cat']);
    expect(() => readSettings(text)).toThrow(/line 10: .*"dog".*\nline 12: .*"cat"/);
  });
});
