import type { Request, Response } from 'express';
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Account } from '../../accounts/account.ts';
import type { Seal } from '../../keys/seal.ts';
import type { TokensContext } from '../families/revoke-families.ts';
import { cookieNames, cookieOf, cookieOptions } from './cookies.ts';

/** The parts of an account that a browser's cookie depends on. */
type KnownAccount = Pick<Account, '_id' | 'recovered_at'>;

/** A browser and the accounts that have signed in with it, from its cookie. */
export interface KnownDevice {
  /** Random id of the browser; its failed sign-ins are counted under it. */
  readonly id: string;
  /** Whether this account has signed in with the browser since it was last recovered. */
  knows(account: KnownAccount): boolean;
  /** Whether this account has proven two factors with the browser since then. */
  knowsBothFactors(account: KnownAccount): boolean;
  /** The current cookie. */
  readonly cookie: string;
  /** The cookie after this account has signed in. */
  withAccount(account: KnownAccount, provedTwo?: boolean): string;
}

/** Accounts per cookie. */
const maxAccounts = 5;
const idForm = /^[\w-]{22}$/;

/** Content of an account's MAC. A recovery changes it, so that browsers that knew the account before no longer do. */
const nameOf = ({ _id, recovered_at }: KnownAccount): string =>
  recovered_at ? `${_id}:${recovered_at.getTime()}` : _id;

/** Content of the MAC of an account that has proven two factors. */
const twoFactorsOf = (name: string) => `two-factors:${name}`;

/** Reads the cookie: the browser's id, then one MAC per account, which does not reveal the account. */
export function readDevice(cookie: string | undefined, seal: Seal): KnownDevice {
  const [name = '', ...macs] = (cookie ?? '').slice(0, 512).split('.');
  const id = idForm.test(name) ? name : randomBytes(16).toString('base64url');
  const kept = id === name ? macs.slice(0, maxAccounts) : [];
  const isFor = (name: string) => (mac: string) => seal.checkMac('known-device', `${id}:${name}`, mac);
  const knowsBothFactors = (account: KnownAccount) => kept.some(isFor(twoFactorsOf(nameOf(account))));
  const isOf = (account: KnownAccount, mac: string) =>
    isFor(nameOf(account))(mac) || isFor(twoFactorsOf(nameOf(account)))(mac);
  return {
    id,
    cookie: [id, ...kept].join('.'),
    knows: (account) => kept.some((mac) => isOf(account, mac)),
    knowsBothFactors,
    withAccount: (account, provedTwo = false) => {
      const others = kept.filter((mac) => !isOf(account, mac));
      const name = nameOf(account);
      const named = provedTwo || knowsBothFactors(account) ? twoFactorsOf(name) : name;
      const mac = seal.mac('known-device', `${id}:${named}`);
      return [id, mac, ...others.slice(0, maxAccounts - 1)].join('.');
    },
  };
}

const devices = new WeakMap<IncomingMessage, KnownDevice>();

/** The browser that sent a request; without the cookie it gets a new id, the same for the whole request. */
export function deviceOf(request: IncomingMessage, { keys, issuer }: TokensContext): KnownDevice {
  const device = devices.get(request) ?? readDevice(cookieOf(request, cookieNames(issuer).device), keys.seal);
  devices.set(request, device);
  return device;
}

const deviceSeconds = 180 * 24 * 60 * 60;

/** Sets the cookie that identifies the browser. */
export function rememberDevice(response: Response, cookie: string, { issuer }: TokensContext): void {
  response.cookie(cookieNames(issuer).device, cookie, cookieOptions(issuer, '/', deviceSeconds));
}

/** Sets the cookie, if the browser has none yet. */
export function identifyDevice(request: Request, response: Response, context: TokensContext): void {
  if (cookieOf(request, cookieNames(context.issuer).device) !== undefined) return;
  rememberDevice(response, deviceOf(request, context).cookie, context);
}
