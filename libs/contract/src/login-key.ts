/** Dotted and dotless i are the same: in Turkish I is the capital of ı and İ that of i, and the writer's language is unknown. */
const anyI = /[iı]\u0307*/g;

/**
 * The form in which usernames and e-mail addresses are compared: without regard to case, to surrounding space and to
 * the way a letter is encoded, and with one i for i, ı, I and İ.
 */
export function loginKey(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(anyI, 'i').normalize('NFKC').trim();
}
