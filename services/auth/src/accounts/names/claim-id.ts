import { loginKey } from '@covalence/contract/login-key';

/** The two things a member can sign in with. */
export type ClaimKind = 'username' | 'email';

/** Staff accounts belong to no site. */
export const staffSite = 0;

/** The id of the claim on a username or an e-mail address of a site; its being unique makes the name unique. */
export function claimId(siteid: number, kind: ClaimKind, text: string): string {
  return `${siteid}:${kind}:${loginKey(text)}`;
}

/** The id under which a skeleton of a username is known on a site; for names other than plain Latin ones a claim. */
export const skeletonId = (siteid: number, skeleton: string): string => `${siteid}:skeleton:${skeleton}`;
