import type { Response } from 'express';
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Seal } from '../../keys/seal.ts';
import { cookieNames, cookieOf, cookieOptions } from './cookies.ts';

/** A browser and the accounts that have signed in with it, as its cookie tells. */
export interface KnownDevice {
  /** Random name of the browser; failures in it are counted under this name. */
  readonly id: string;
  /** Whether this account has signed in here before. */
  knows(accountId: string): boolean;
  /** The cookie as it is. */
  readonly cookie: string;
  /** The cookie after this account has signed in. */
  withAccount(accountId: string): string;
}

/** Accounts that one browser is remembered for. */
const most = 5;
const idForm = /^[\w-]{22}$/;

/**
 * Reads the cookie of a browser: its name, then one MAC over name and account for each account. Only this server can
 * make such a MAC, and nothing in the cookie names an account.
 */
export function readDevice(cookie: string | undefined, seal: Seal): KnownDevice {
  const [name = '', ...macs] = (cookie ?? '').slice(0, 512).split('.');
  const id = idForm.test(name) ? name : randomBytes(16).toString('base64url');
  const kept = id === name ? macs.slice(0, most) : [];
  const subject = (accountId: string) => `${id}:${accountId}`;
  const isFor = (accountId: string) => (mac: string) =>
    seal.checkMac('known-device', subject(accountId), mac);
  return {
    id,
    cookie: [id, ...kept].join('.'),
    knows: (accountId) => kept.some(isFor(accountId)),
    withAccount: (accountId) => {
      const others = kept.filter((mac) => !isFor(accountId)(mac));
      return [id, seal.mac('known-device', subject(accountId)), ...others.slice(0, most - 1)].join('.');
    },
  };
}

/** What the cookie of a browser is read and written with. */
interface DeviceContext {
  readonly seal: Seal;
  /** Address of the authorization server. */
  readonly issuer: string;
}

/** The browser that sent a request; one without the cookie gets a new name. */
export const deviceOf = (request: IncomingMessage, { seal, issuer }: DeviceContext): KnownDevice =>
  readDevice(cookieOf(request, cookieNames(issuer).device), seal);

const deviceSeconds = 180 * 24 * 60 * 60;

/** Sets the cookie by which the browser is known again. */
export function rememberDevice(response: Response, cookie: string, { issuer }: DeviceContext): void {
  response.cookie(cookieNames(issuer).device, cookie, cookieOptions(issuer, '/', deviceSeconds));
}
