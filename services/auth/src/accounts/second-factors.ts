import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { Seal } from '../keys/seal.ts';
import { sha256 } from '../keys/algorithms.ts';
import type { Account, Totp } from './account.ts';

/** Whether an account has an app or a passkey, which sign in again and again. */
export const hasDevice = ({ totp, passkeys }: Account): boolean => totp !== undefined || !!passkeys?.length;

/**
 * Whether staff have a second factor, or had one: the last recovery code may be used up. From then on the password alone neither signs in
 * nor adds another one. The passkey of a member is no second factor, but another sign-in method: members turn two-step sign-in on.
 */
export const hasSecondFactor = (account: Account): boolean =>
  account.staff ? hasDevice(account) || account.recovery_codes !== undefined : account.totp !== undefined;

/** Whether staff need a second factor. */
export type StaffSecondFactor = 'required' | 'optional';

/** Whether one factor does not sign an account in. */
export const needsTwoFactors = (account: Account, ofStaff: StaffSecondFactor): boolean =>
  (account.staff && ofStaff === 'required') || hasSecondFactor(account);

/** Wrong codes of an app after which it is refused for a while. A recovery code and a passkey still count. */
export const maxWrongCodes = 100;

const secretBytes = 20;

/** A new key of an authenticator app, in base32. */
export const newTotpKey = (): string => new Secret({ size: secretBytes }).base32;

const totpOf = (key: string, labels: { readonly issuer?: string; readonly label?: string } = {}): TOTP =>
  new TOTP({ ...labels, secret: Secret.fromBase32(key), algorithm: 'SHA1', digits: 6, period: 30 });

/** The address that authenticator apps read from a picture. */
export const totpAddress = (key: string, issuer: string, label: string): string =>
  totpOf(key, { issuer, label }).toString();

/** The six digits of an app. */
const appCode = /^\d{6}$/;

/** Steps before and after the current one whose code counts: clocks differ, and typing takes time. */
const window = 1;

/** The time step of a code, compared in constant time; undefined when it is none of the current ones. */
export function stepOf(code: string, key: string, now: Date): number | undefined {
  // The library throws for text that is as long in characters and not in bytes.
  if (!appCode.test(code)) return undefined;
  const totp = totpOf(key);
  const timestamp = now.getTime();
  const delta = totp.validate({ token: code, timestamp, window });
  return delta === null ? undefined : totp.counter({ timestamp }) + delta;
}

/** Seals the key of an account's app. */
export const sealKey = (key: string, accountId: string, seal: Seal): string =>
  seal.seal('totp-keys', key, accountId);

/** The key of an account's app; undefined when it was sealed with a secret that is gone. */
export const openKey = ({ secret }: Totp, accountId: string, seal: Seal): string | undefined =>
  seal.open('totp-keys', secret, accountId);

/** Key of the counters of wrong codes, of an account or of one of its browsers. */
export const factorKey = (accountId: string, browser?: string): string =>
  ['factor', accountId, ...(browser === undefined ? [] : [browser])].join(':');

/** Codes of one set. */
const recoveryCodes = 8;
const recoveryBytes = 15;
const groups = /.{4}/g;

/** Letters and digits of an entry, in capitals: people type spaces and dashes. */
const plainOf = (entered: string): string => entered.replace(/[^a-z0-9]/gi, '').toUpperCase();

/** A recovery code, and the hash that is stored of it: 120 random bits need no slow hash. */
export function newRecoveryCode(): { readonly code: string; readonly hash: string } {
  const plain = new Secret({ buffer: new Uint8Array(randomBytes(recoveryBytes)).buffer }).base32;
  return { code: (plain.match(groups) ?? []).join('-'), hash: sha256(plain) };
}

/** A set of recovery codes. */
export const newRecoveryCodes = () => Array.from({ length: recoveryCodes }, newRecoveryCode);

/** Reads an entered code: the six digits of an app, or the hash of a recovery code. */
export function readCode(entered: string): { readonly digits?: string; readonly recovery?: string } {
  const plain = plainOf(entered);
  return appCode.test(plain) ? { digits: plain } : { recovery: sha256(plain) };
}
