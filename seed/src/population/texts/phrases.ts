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

type Lists = ReadonlyMap<string, readonly string[]>;

const split = (table: Readonly<Record<string, string>>, separator: RegExp): Lists =>
  new Map(
    Object.entries(table).map(([key, text]) => [
      key,
      text
        .trim()
        .split(separator)
        .map((part) => part.replace(/\s+/g, ' ')),
    ]),
  );

const lines = {
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

/** Lines by topic, e.g. `interest.cooking`. */
export const linesByTopic = split(lines, /\n\s*/);
/** Words by slot. */
export const wordsBySlot = split(words, /,\s+/);
/** Short names by interest. */
export const likesByInterest = split(likes, /,\s+/);
