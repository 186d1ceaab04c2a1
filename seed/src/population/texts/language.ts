import * as french from './abroad/french.ts';
import * as german from './abroad/german.ts';
import * as greek from './abroad/greek.ts';
import * as spanish from './abroad/spanish.ts';
import * as turkish from './abroad/turkish.ts';
import { character } from './english/character.ts';
import { closing } from './english/closing.ts';
import { everyday } from './english/everyday.ts';
import { family } from './english/family.ts';
import { furtherInterests } from './english/further-interests.ts';
import { headlines, likes } from './english/headlines.ts';
import { interests } from './english/interests.ts';
import { opening } from './english/opening.ts';
import { questions } from './english/questions.ts';
import { wishes } from './english/wishes.ts';
import { words } from './english/words.ts';
import { work } from './english/work.ts';

/** The languages that members write in. */
export type Tongue = 'english' | 'german' | 'spanish' | 'french' | 'greek' | 'turkish';

/** What texts of a language are made of. */
export interface Language {
  /** Lines by topic, e.g. `interest.cooking`. */
  readonly lines: ReadonlyMap<string, readonly string[]>;
  /** Words by slot. */
  readonly words: ReadonlyMap<string, readonly string[]>;
  /** Short names by interest. */
  readonly likes: ReadonlyMap<string, readonly string[]>;
  /** What follows "I work" by occupation; empty in English, which has titles. */
  readonly fields: Readonly<Record<string, string>>;
}

interface Source {
  readonly lines: Readonly<Record<string, string>>;
  readonly words: Readonly<Record<string, string>>;
  readonly likes: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, string>>;
}

const split = (table: Readonly<Record<string, string>>, separator: RegExp) =>
  new Map(
    Object.entries(table).map(([key, text]) => [
      key,
      text
        .trim()
        .split(separator)
        .map((part) => part.replace(/\s+/g, ' ')),
    ]),
  );

const language = ({ lines, words, likes, fields }: Source): Language => ({
  lines: split(lines, /\n\s*/),
  words: split(words, /,\s+/),
  likes: split(likes, /,\s+/),
  fields,
});

const englishLines = {
  ...opening,
  ...work,
  ...family,
  ...character,
  ...interests,
  ...furtherInterests,
  ...everyday,
  ...wishes,
  ...closing,
  ...headlines,
  ...questions,
};

/** The texts of every language. */
export const languages: Readonly<Record<Tongue, Language>> = {
  english: language({ lines: englishLines, words, likes, fields: {} }),
  german: language(german),
  spanish: language(spanish),
  french: language(french),
  greek: language(greek),
  turkish: language(turkish),
};
