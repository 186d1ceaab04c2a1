/** The two things a member can sign in with. */
export type ClaimKind = 'username' | 'email';

/** Staff accounts belong to no site (D29). */
export const staffSite = 0;

/**
 * The form in which usernames and e-mail addresses are compared: without regard to case, to surrounding space and to
 * the way a letter is encoded (D17, spec 8).
 */
export function loginKey(text: string): string {
  return text.normalize('NFKC').toLowerCase().normalize('NFKC').trim();
}

/** The id of the claim on a username or an e-mail address of a site; its being unique makes the name unique. */
export function claimId(siteid: number, kind: ClaimKind, text: string): string {
  return `${siteid}:${kind}:${loginKey(text)}`;
}
