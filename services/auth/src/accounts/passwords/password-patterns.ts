/** Neighbors on keyboards: QWERTY, QWERTZ and AZERTY, and the row of digits. */
const rows = [
  '1234567890',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'qsdfghjklm',
  'zxcvbnm',
  'yxcvbnm',
  'wxcvbn',
].flatMap((row) => [row, Array.from(row).toReversed().join('')]);

/** A run of fewer characters happens by chance. */
const shortestRun = 3;

/** Longest unit, in characters, that a password may not consist of alone. */
const longestUnit = 4;

/** How many characters from `at` on repeat one character, or count up or down by code points (`abcd`, `4321`). */
function steadyRun(characters: readonly string[], at: number): number {
  const points = characters.slice(at).map((character) => character.codePointAt(0) ?? 0);
  const step = (points[1] ?? 0) - (points[0] ?? 0);
  if (Math.abs(step) > 1) return 1;
  const end = points.findIndex((point, index) => index > 0 && point - (points[index - 1] ?? 0) !== step);
  return end === -1 ? points.length : end;
}

/** How many characters from `at` on are neighbors on a keyboard. */
function keyboardRun(text: string, at: number): number {
  let length = 1;
  while (at + length < text.length && rows.some((row) => row.includes(text.slice(at, at + length + 1)))) {
    length += 1;
  }
  return length;
}

/** Whether nothing but runs is in it: `aaaabbbb`, `abcd1234`, `qwertyuiop`. */
function consistsOfRuns(characters: readonly string[]): boolean {
  // A character outside of the basic plane is on no row: one stand-in keeps places and length the same.
  const text = characters.map((character) => (character.length === 1 ? character : ' ')).join('');
  for (let at = 0; at < characters.length;) {
    const length = Math.max(steadyRun(characters, at), keyboardRun(text, at));
    if (length < shortestRun) return false;
    at += length;
  }
  return true;
}

/** Whether it is one short unit again and again, the last time perhaps not whole: `abab`, `xyz1xyz1xy`. */
function repeatsUnit(characters: readonly string[]): boolean {
  const longest = Math.min(longestUnit, Math.floor(characters.length / 2));
  return Array.from({ length: longest }, (_, index) => index + 1).some((length) =>
    characters.every((character, index) => character === characters[index % length]),
  );
}

/** Whether a password consists of repeated or sequential characters alone, without regard to case. */
export function isPattern(password: string): boolean {
  const characters = Array.from(password.toLowerCase());
  return repeatsUnit(characters) || consistsOfRuns(characters);
}
