import { describe, expect, it } from '@jest/globals';
import { compileAnalysis } from '../../src/analysis/analysis.ts';
import { expandText, newBudget } from '../../src/analysis/expand-text.ts';
import { tokensOf, wordsOf } from '../../src/analysis/words.ts';
import { checkSettings } from '../../src/settings/read-settings.ts';
import { randomOf } from '../usage/simulated-users.ts';

const letters = 'abcdefghijklmnopqrstuvwxyz';
/** The longest texts of a search together. */
const mostTyped = 500;

/** Processor time of some work, which other processes do not change. */
function processorMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** As many rules as are accepted, of words that are made of a number. */
function largest(wordOf: (index: number) => string) {
  const synonyms = Array.from({ length: 495 }, (_, rule) =>
    Array.from({ length: 20 }, (_one, at) => wordOf(rule * 20 + at)).join(', '),
  );
  const checked = checkSettings({ languages: { en: { synonyms } } });
  if (!('change' in checked)) throw new Error(JSON.stringify(checked.problems));
  const { rules } = compileAnalysis({ languages: checked.change.languages ?? {} }).forLocale('en_US');
  if (!rules) throw new Error('no rules');
  return rules;
}

/** A number in letters. */
const written = (index: number, length = 4): string =>
  Array.from({ length }, (_, at) => letters[Math.floor(index / 26 ** (length - 1 - at)) % 26]).join('');

const random = randomOf(3);
const randomWord = (length: number) =>
  Array.from({ length }, () => letters[Math.floor(random() * letters.length)]).join('');

describe('the largest rules that are accepted', () => {
  it.each([
    ['share their beginning', (index: number) => `beginnin${written(index)}`, 'beginninzzzz'],
    [
      'are long and share all but the end',
      (index: number) => 'x'.repeat(44) + written(index),
      'x'.repeat(46),
    ],
    ['share their end', (index: number) => `${written(index)}theend`, 'zzzztheend'],
    ['are drawn at random', () => randomWord(9 + Math.floor(random() * 4)), randomWord(10)],
  ])('do not block a search for long, if their words %s', (_title, wordOf, typed) => {
    const root = largest(wordOf);
    const text = `${typed} `.repeat(Math.floor(mostTyped / (typed.length + 1))).trim();
    const settings = { fuzziness: 'AUTO', prefix_length: 0 };
    const budget = newBudget();
    // Without a bound it is a half to ten seconds.
    expect(processorMs(() => expandText(text, root, settings, budget))).toBeLessThan(400);
    // A last word may use a little more.
    expect(budget.steps).toBeLessThanOrEqual(0);
    expect(budget.steps).toBeGreaterThan(-60);
    expect(budget.words).toBeGreaterThanOrEqual(0);
  });

  it('find a typo of each of twenty words at the usual settings', () => {
    const words = Array.from({ length: 9_900 }, () => randomWord(8 + Math.floor(random() * 6)));
    const root = largest((index) => words[index] ?? '');
    const typed = words.slice(0, 20).map((word) => `${word.slice(0, -1)}${word.endsWith('q') ? 'w' : 'q'}`);
    const units = expandText(
      typed.join(' '),
      root,
      { fuzziness: 'AUTO:5,8', prefix_length: 1 },
      {
        ...newBudget(),
        words: 10_000,
      },
    );
    expect(units.filter(({ alternatives }) => alternatives.length > 0)).toHaveLength(20);
  });
});

describe('a rule of signs alone', () => {
  it('is refused at once', () => {
    const synonyms = Array.from({ length: 490 }, () => '?'.repeat(962));
    let checked: object = {};
    expect(processorMs(() => (checked = checkSettings({ languages: { en: { synonyms } } })))).toBeLessThan(
      500,
    );
    expect(checked).toHaveProperty('problems');
  });

  it('has the words that a text has, with and without letters', () => {
    expect(wordsOf(' a-b  ?! c')).toEqual(['a-b', 'c']);
    expect(wordsOf(' ?! ')).toEqual([' ?! ']);
    expect(tokensOf('a-b, ?!')).toEqual(['a', 'b']);
  });
});
