/** A visible character: no white space, nothing that fonts ignore, and not Braille's empty cell. */
const visible = /[^\s\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether a text has no visible character. */
export function isBlank(text: string): boolean {
  return !visible.test(text);
}
