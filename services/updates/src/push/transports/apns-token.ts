import type { Clock } from '@covalence/runtime/clock';
import { SignJWT } from 'jose';
import type { KeyObject } from 'node:crypto';
import type { TokenSource } from './app-transport.ts';

/** The key of a team at Apple. */
export interface ApnsKey {
  readonly teamId: string;
  readonly keyId: string;
  readonly key: KeyObject;
}

/** Apple refuses tokens that are older than an hour, and those renewed more often than every 20 minutes. */
const renewAfterMs = 40 * 60_000;

/** Creates the source of the tokens that identify the provider to Apple. */
export function createApnsToken({ teamId, keyId, key }: ApnsKey, clock: Clock): TokenSource {
  let signing: Promise<string> | undefined;
  let signed: string | undefined;
  let issuedAt = 0;

  const sign = async (now: number): Promise<string> => {
    const token = await new SignJWT()
      .setProtectedHeader({ alg: 'ES256', kid: keyId })
      .setIssuer(teamId)
      .setIssuedAt(Math.floor(now / 1_000))
      .sign(key);
    signed = token;
    return token;
  };

  return {
    get(refused) {
      const now = clock().getTime();
      const isOld = Math.abs(now - issuedAt) >= renewAfterMs;
      const isRefused = refused !== undefined && refused === signed;
      if (signing && !isOld && !isRefused) return signing;
      [issuedAt, signed] = [now, undefined];
      signing = sign(now);
      return signing;
    },
  };
}
