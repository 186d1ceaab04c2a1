/** Dotted and dotless i are equal, because the capitals of i and ı differ in Turkish and the language is unknown. */
const anyI = /[iı]\u0307*/g;

/** Normalizes usernames and email addresses for comparison: ignores case, surrounding space and encoding of letters. */
export function loginKey(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(anyI, 'i').normalize('NFKC').trim();
}
