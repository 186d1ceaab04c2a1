import { loginKey } from '@covalence/contract/login-key';
import { readFileSync } from 'node:fs';

/** Sources and builds are equally far from it. */
const table = new URL('../../../data/confusables.tsv', import.meta.url);

let prototypes: ReadonlyMap<string, string> | undefined;

/** What each character that looks like another is drawn as. */
function readPrototypes(): ReadonlyMap<string, string> {
  const lines = readFileSync(table, 'utf8').trimEnd().split('\n');
  return new Map(
    lines.flatMap((line) => {
      const [prototype = '', alike = ''] = line.split('\t');
      return Array.from(alike, (character) => [character, prototype] as const);
    }),
  );
}

/** The skeleton of Unicode Technical Standard 39: texts that look alike have one. */
function skeleton(text: string): string {
  prototypes ??= readPrototypes();
  const drawn = Array.from(text.normalize('NFD'), (character) => prototypes?.get(character) ?? character);
  return drawn.join('').normalize('NFD');
}

/** The same for names, which are compared without regard to case. */
const nameSkeleton = (text: string): string => skeleton(loginKey(skeleton(text)));

/** A letter of languages that are written in Latin: ASCII, Latin-1, Latin Extended-A, and those letters with marks. */
const plainLetter = /^(?:[0-9A-Za-z\u00C0-\u017F]|[A-Za-z]\p{M}+)$/u;

/** Whether a name is of Latin letters and digits alone, so that nothing in it was put there for its looks. */
const isPlainLatin = (name: string): boolean =>
  Array.from(name.normalize('NFC')).every(
    (character) => plainLetter.test(character) || plainLetter.test(character.normalize('NFD')),
  );

/** By what a name is known that looks like others. */
export interface Looks {
  /** Plain Latin names never stand in each other's way, whatever they look like. */
  readonly plain: boolean;
  /** Its skeletons, in lower case and as it is written. */
  readonly skeletons: readonly string[];
}

/** What a username looks like. */
export function looksOf(username: string): Looks {
  const [compared, written] = [loginKey(username), username.normalize('NFKC')];
  if (isPlainLatin(written)) return { plain: true, skeletons: [nameSkeleton(compared)] };
  return { plain: false, skeletons: [...new Set([nameSkeleton(compared), nameSkeleton(written)])] };
}
