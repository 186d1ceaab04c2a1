/** Keyboard rows: QWERTY, QWERTZ, AZERTY and digits, in both directions. */
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

/** Shorter runs are coincidences. */
const minRun = 3;

/** Longest repeated unit in characters. */
const maxUnit = 4;

/** Number of characters from `at` that repeat, or step by one code point (`abcd`, `4321`). */
function steadyRun(characters: readonly string[], at: number): number {
  const points = characters.slice(at).map((character) => character.codePointAt(0) ?? 0);
  const step = (points[1] ?? 0) - (points[0] ?? 0);
  if (Math.abs(step) > 1) return 1;
  const end = points.findIndex((point, index) => index > 0 && point - (points[index - 1] ?? 0) !== step);
  return end === -1 ? points.length : end;
}

/** Number of characters from `at` that are neighbors on a keyboard. */
function keyboardRun(text: string, at: number): number {
  let length = 1;
  while (at + length < text.length && rows.some((row) => row.includes(text.slice(at, at + length + 1)))) {
    length += 1;
  }
  return length;
}

/** Whether a password consists of runs: `aaaabbbb`, `abcd1234`, `qwertyuiop`. */
function consistsOfRuns(characters: readonly string[]): boolean {
  // One placeholder for a character outside the basic plane keeps positions equal.
  const text = characters.map((character) => (character.length === 1 ? character : ' ')).join('');
  for (let at = 0; at < characters.length;) {
    const length = Math.max(steadyRun(characters, at), keyboardRun(text, at));
    if (length < minRun) return false;
    at += length;
  }
  return true;
}

/** Whether a password repeats a short unit: `abab`, `xyz1xyz1xy`. */
function repeatsUnit(characters: readonly string[]): boolean {
  const longest = Math.min(maxUnit, Math.floor(characters.length / 2));
  return Array.from({ length: longest }, (_, index) => index + 1).some((length) =>
    characters.every((character, index) => character === characters[index % length]),
  );
}

/** Whether a password consists only of repeated or sequential characters, ignoring case. */
export function isPattern(password: string): boolean {
  const characters = Array.from(password.toLowerCase());
  return repeatsUnit(characters) || consistsOfRuns(characters);
}
