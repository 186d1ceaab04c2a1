import { redisKeys } from './redis-keys.ts';

/**
 * Admission's decision on a token: `good`, 403 Deactivated, or 401 because the member, the sign-in or the client application
 * was ended.
 */
export type Admission = 'good' | 'deactivated' | 'ended';

/** Why tokens are refused; `endedBefore` refuses those issued before that second since the epoch. */
export type Bar = { readonly endedBefore: number } | 'deactivated' | 'ended';

/** The claims of an access token that admission reads. */
export interface AdmittedToken {
  /** Numeric member id; 0 for staff. */
  readonly id: number;
  /** Family of its sign-in. */
  readonly family?: string | undefined;
  readonly clientId: string;
}

const deactivated = '1';

/** Value of redisKeys.flagsComplete, before a space and the servers that have the flags. */
export const flagsAreComplete = 'complete';

/** Value of a flag that refuses every token. */
export const endedFlag = 'ended';

/** Value of a flag in Redis. */
export function flagText(bar: Bar): string {
  if (bar === 'deactivated') return deactivated;
  return bar === 'ended' ? endedFlag : `${endedFlag}:${bar.endedBefore}`;
}

/** Keys of the flags that decide about a token. */
export function admissionKeys(namespace: string, { id, family, clientId }: AdmittedToken): string[] {
  return [
    redisKeys.ended(namespace, 'client', clientId),
    ...(family === undefined ? [] : [redisKeys.ended(namespace, 'family', family)]),
    ...(id ? [redisKeys.deactivated(namespace, id)] : []),
  ];
}

/** Prefixes of all flags. */
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
 * The decision by the flags at `admissionKeys` on a token issued at `issued` (seconds since the epoch). Unknown values
 * refuse. `ended` goes before `deactivated`, so that an ended token does not disclose the member's state.
 */
export function admissionOf(flags: readonly (string | null)[], issued: number): Admission {
  const said = flags.map((flag) => admissionBy(flag, issued));
  if (said.includes('ended')) return 'ended';
  return said.includes('deactivated') ? 'deactivated' : 'good';
}

/** Message to a member's open sockets (redisKeys.live) when a sign-in ends. */
export const endedMessage = (family: string): string => `${endedFlag} ${family}`;
