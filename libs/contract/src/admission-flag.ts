/**
 * What admission answers a member's token: `good`, 403 Deactivated (spec 5.8), or 401 because the token was ended with
 * a suspension or a deletion (D29).
 */
export type Admission = 'good' | 'deactivated' | 'ended';

/** Why a member's tokens are refused; `endedBefore` refuses those issued before that second since the epoch. */
export type Bar = { readonly endedBefore: number } | 'deactivated' | 'ended';

const deactivated = '1';
const ended = 'ended';

/** The flag's text in Redis (redisKeys.deactivated). */
export function flagText(bar: Bar): string {
  if (bar === 'deactivated') return deactivated;
  return bar === 'ended' ? ended : `${ended}:${bar.endedBefore}`;
}

/** What the flag says of a token issued at `issued` (seconds since the epoch). A text of no known form refuses. */
export function admissionOf(flag: string | null, issued: number): Admission {
  if (flag === null) return 'good';
  if (flag === deactivated) return 'deactivated';
  const before = /^ended:(\d+)$/.exec(flag)?.[1];
  return before !== undefined && issued >= Number(before) ? 'good' : 'ended';
}
