import { loginKey } from '@covalence/contract/login-key';
import type { Site } from '@covalence/contract/sites';
import { isCommon } from './common-passwords.ts';
import { isPattern } from './password-patterns.ts';

/** Length in code points, so that a letter outside the basic plane counts once. */
export const passwordLength = (password: string): number => Array.from(password).length;

/** A password as it is hashed: typed on different keyboards it may be encoded differently. */
export const canonicalPassword = (password: string): string => password.normalize('NFKC');

/** Longest password in characters. */
export const passwordMaximum = 256;

/** What a password is checked against. */
export interface PasswordRules {
  /** The site's minimum length in characters. */
  readonly minimum: number;
  readonly username?: string | undefined;
  readonly email?: string | undefined;
  /** The member's site; staff have none. */
  readonly site?: Pick<Site, 'title' | 'url'> | undefined;
}

/** The minimum length where no site says less. */
export const standardMinimum = 8;

/** A name of fewer characters is in many passwords by chance. */
const shortestName = 4;

/** The words of a site's title, and the labels of its host but the last one: `Harbor Dates`, `https://harbor.example`. */
const siteNames = ({ title, url }: Pick<Site, 'title' | 'url'>): string[] => [
  ...title.split(/[^\p{L}\p{N}]+/u),
  ...new URL(url).hostname.split('.').slice(0, -1),
];

/** What must not be in a password, as `loginKey` writes it: username, e-mail address and its local part, site name. */
function namesIn({ username = '', email = '', site }: PasswordRules): string[] {
  const names = [username, email, email.split('@', 1).join(''), ...(site ? siteNames(site) : [])];
  return names.map(loginKey).filter((name) => passwordLength(name) >= shortestName);
}

/**
 * Whether a password may be chosen: long enough, not too long, none of the most common ones, no mere pattern, and without
 * the member's names and the site's in it. Nothing of it leaves the process.
 */
export function passwordAllowed(password: string, rules: PasswordRules): boolean {
  const length = passwordLength(password);
  if (length < rules.minimum || length > passwordMaximum) return false;
  const key = loginKey(password);
  // As it is hashed: in fullwidth letters it is the same password.
  const hashed = canonicalPassword(password);
  return !namesIn(rules).some((name) => key.includes(name)) && !isCommon(hashed) && !isPattern(hashed);
}

/** The same for the password of a staff account. */
export const staffPasswordAllowed = (password: string, username: string): boolean =>
  passwordAllowed(password, { minimum: standardMinimum, username });
