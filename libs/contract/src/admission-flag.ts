import { redisKeys } from './redis-keys.ts';

/**
 * What admission answers a token: `good`, 403 Deactivated, or 401 because the token was ended before its time:
 * by a suspension or deletion, with its sign-in, or with its client application.
 */
export type Admission = 'good' | 'deactivated' | 'ended';

/** Why a member's tokens are refused; `endedBefore` refuses those issued before that second since the epoch. */
export type Bar = { readonly endedBefore: number } | 'deactivated' | 'ended';

/** What admission needs to know of an access token. */
export interface AdmittedToken {
  /** Numeric member id; 0 for staff. */
  readonly id: number;
  /** The sign-in that it comes from. */
  readonly family?: string | undefined;
  readonly clientId: string;
}

const deactivated = '1';

/** The text at redisKeys.flagsComplete while it holds. */
export const flagsAreComplete = 'complete';

/** The text of a flag that refuses every token. */
export const endedFlag = 'ended';

/** The flag's text in Redis (redisKeys.deactivated). */
export function flagText(bar: Bar): string {
  if (bar === 'deactivated') return deactivated;
  return bar === 'ended' ? endedFlag : `${endedFlag}:${bar.endedBefore}`;
}

/** The keys in Redis whose flags say whether a token is let in. */
export function admissionKeys(namespace: string, { id, family, clientId }: AdmittedToken): string[] {
  return [
    redisKeys.ended(namespace, 'client', clientId),
    ...(family === undefined ? [] : [redisKeys.ended(namespace, 'family', family)]),
    ...(id ? [redisKeys.deactivated(namespace, id)] : []),
  ];
}

/** What the keys of all of them begin with. */
export function admissionPrefixes(namespace: string): string[] {
  return [
    redisKeys.ended(namespace, 'client', ''),
    redisKeys.ended(namespace, 'family', ''),
    redisKeys.deactivated(namespace, ''),
  ];
}

function admissionBy(flag: string | null, issued: number): Admission {
  if (flag === null) return 'good';
  if (flag === deactivated) return 'deactivated';
  const before = /^ended:(\d+)$/.exec(flag)?.[1];
  return before !== undefined && issued >= Number(before) ? 'good' : 'ended';
}

/**
 * What the flags at `admissionKeys` say of a token issued at `issued` (seconds since the epoch). A text of no known form
 * refuses; what is ended is not told whether its member is deactivated too.
 */
export function admissionOf(flags: readonly (string | null)[], issued: number): Admission {
  const said = flags.map((flag) => admissionBy(flag, issued));
  if (said.includes('ended')) return 'ended';
  return said.includes('deactivated') ? 'deactivated' : 'good';
}

/** What is published to a member's open sockets (redisKeys.live) when one of their sign-ins ends. */
export const endedMessage = (family: string): string => `${endedFlag} ${family}`;
