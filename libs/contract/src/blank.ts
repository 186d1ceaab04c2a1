/** Anything that shows: neither white space nor what no font draws (Hangul fillers too), nor Braille's empty cell. */
const visible = /[^\s\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether a text shows nothing, so that it says as little as an empty one. */
export function isBlank(text: string): boolean {
  return !visible.test(text);
}
