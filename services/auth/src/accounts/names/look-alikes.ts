import { loginKey } from '@covalence/contract/login-key';
import { skeleton } from '@covalence/contract/skeleton';

/** The skeleton of a name, ignoring case. */
const nameSkeleton = (text: string): string => skeleton(loginKey(skeleton(text)));

/** A letter of Latin scripts: ASCII, Latin-1, Latin Extended-A, with or without marks. */
const plainLetter = /^(?:[0-9A-Za-z\u00C0-\u017F]|[A-Za-z]\p{M}+)$/u;

/** Whether a name consists of Latin letters and digits, so that no character imitates another script. */
const isPlainLatin = (name: string): boolean =>
  Array.from(name.normalize('NFC')).every(
    (character) => plainLetter.test(character) || plainLetter.test(character.normalize('NFD')),
  );

/** Appearance of a username. */
export interface Looks {
  /** Plain Latin names never conflict with each other. */
  readonly plain: boolean;
  /** Skeletons of the name in lower case and as written. */
  readonly skeletons: readonly string[];
}

/** The appearance of a username. */
export function looksOf(username: string): Looks {
  const [compared, written] = [loginKey(username), username.normalize('NFKC')];
  if (isPlainLatin(written)) return { plain: true, skeletons: [nameSkeleton(compared)] };
  return { plain: false, skeletons: [...new Set([nameSkeleton(compared), nameSkeleton(written)])] };
}
