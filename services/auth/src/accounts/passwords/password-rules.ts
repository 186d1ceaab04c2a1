import { loginKey } from '@covalence/contract/login-key';
import type { Site, Sites } from '@covalence/contract/sites';
import type { Account } from '../account.ts';
import { isCommon } from './common-passwords.ts';
import { isPattern } from './password-patterns.ts';

/** Length in code points. */
export const passwordLength = (password: string): number => Array.from(password).length;

/** The password that is hashed: keyboards encode the same characters differently. */
export const canonicalPassword = (password: string): string => password.normalize('NFKC');

/** Longest password in characters. */
export const passwordMaximum = 256;

/** Rules for a password. */
export interface PasswordRules {
  /** The site's minimum length in characters. */
  readonly minimum: number;
  readonly username?: string | undefined;
  readonly email?: string | undefined;
  /** The member's site; staff have none. */
  readonly site?: Pick<Site, 'title' | 'url'> | undefined;
}

/** Minimum length without a site's own. */
export const standardMinimum = 8;

/** The rules for the password of a member. */
export function memberRules({ siteid, username, email }: Account, sites: Sites): PasswordRules {
  const site = sites.get(siteid);
  return { minimum: site?.password_minimum ?? standardMinimum, username, email, site };
}

/** Shorter names are in many passwords by coincidence. */
const minName = 4;

/** Words of a site's title, and labels of its host except the last: `Harbor Dates`, `https://harbor.example`. */
const siteNames = ({ title, url }: Pick<Site, 'title' | 'url'>): string[] => [
  ...title.split(/[^\p{L}\p{N}]+/u),
  ...new URL(url).hostname.split('.').slice(0, -1),
];

/** Names that a password must not contain, as login keys: username, email address, its local part, site names. */
function namesIn({ username = '', email = '', site }: PasswordRules): string[] {
  const names = [username, email, email.split('@', 1).join(''), ...(site ? siteNames(site) : [])];
  return names.map(loginKey).filter((name) => passwordLength(name) >= minName);
}

/** Whether a password has an allowed length, is not common, is no pattern and contains no names. */
export function passwordAllowed(password: string, rules: PasswordRules): boolean {
  const length = passwordLength(password);
  if (length < rules.minimum || length > passwordMaximum) return false;
  const key = loginKey(password);
  // The hashed form: fullwidth letters make no other password.
  const hashed = canonicalPassword(password);
  return !namesIn(rules).some((name) => key.includes(name)) && !isCommon(hashed) && !isPattern(hashed);
}

/** Whether the password of a staff account is allowed. */
export const staffPasswordAllowed = (password: string, username: string): boolean =>
  passwordAllowed(password, { minimum: standardMinimum, username });
