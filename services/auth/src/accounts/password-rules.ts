import { loginKey } from '@covalence/contract/login-key';
import { dictionary } from '@zxcvbn-ts/language-common';

/** The list is ordered by how often a password was seen; this many of the first ones are refused (D10). */
const refused = 10_000;

const common = new Set(
  (dictionary['passwords-common'] ?? []).slice(0, refused).map((entry) => entry.toLowerCase()),
);

/** Length in code points, so that a letter outside the basic plane counts once. */
export const passwordLength = (password: string): number => Array.from(password).length;

/** Longest password in characters (D10). */
export const passwordMaximum = 256;

/** What a password is checked against. */
export interface PasswordRules {
  /** The site's minimum length in characters. */
  readonly minimum: number;
  readonly username?: string | undefined;
  readonly email?: string | undefined;
}

/** The minimum length where no site says less (D10). */
export const standardMinimum = 8;

/** D10: long enough, not too long, not the username or e-mail address, none of the most common ones. */
export function passwordAllowed(password: string, { minimum, username, email }: PasswordRules): boolean {
  const length = passwordLength(password);
  if (length < minimum || length > passwordMaximum) return false;
  const key = loginKey(password);
  const names = [username, email].filter((name) => name !== undefined).map(loginKey);
  return !names.includes(key) && !common.has(password.toLowerCase());
}

/** The same for the password of a staff account. */
export const staffPasswordAllowed = (password: string, username: string): boolean =>
  passwordAllowed(password, { minimum: standardMinimum, username });
