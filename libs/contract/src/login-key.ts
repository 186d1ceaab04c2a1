/**
 * The form in which usernames and e-mail addresses are compared: without regard to case, to surrounding space and to
 * the way a letter is encoded (D17, spec 8).
 */
export function loginKey(text: string): string {
  return text.normalize('NFKC').toLowerCase().normalize('NFKC').trim();
}
