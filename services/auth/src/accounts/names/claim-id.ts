import { loginKey } from '@covalence/contract/login-key';

/** Kinds of names that sign in. */
export type ClaimKind = 'username' | 'email';

/** Staff accounts belong to no site. */
export const staffSite = 0;

/** Id of the claim on a username or email address of a site. The unique id makes the name unique. */
export function claimId(siteid: number, kind: ClaimKind, text: string): string {
  return `${siteid}:${kind}:${loginKey(text)}`;
}

/** Id of a username's skeleton on a site. Names that are not plain Latin claim it. */
export const skeletonId = (siteid: number, skeleton: string): string => `${siteid}:skeleton:${skeleton}`;
