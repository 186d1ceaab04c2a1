import { loginKey } from '@covalence/contract/login-key';
import { skeleton } from '@covalence/contract/skeleton';

/** Kinds of names that sign in. */
type ClaimKind = 'username' | 'email';

/** Staff accounts belong to no site. */
export const staffSite = 0;

/** Id of the claim on a username or email address of a site. The unique id makes the name unique. */
export function claimId(siteid: number, kind: ClaimKind, text: string): string {
  return `${siteid}:${kind}:${loginKey(text)}`;
}

/** Id of a username's skeleton on a site. Names that are not plain Latin claim it. */
const skeletonId = (siteid: number, text: string): string => `${siteid}:skeleton:${text}`;

/** The skeleton of a name, ignoring case. */
const nameSkeleton = (text: string): string => skeleton(loginKey(skeleton(text)));

/** A letter of Latin scripts: ASCII, Latin-1, Latin Extended-A, with or without marks. */
const plainLetter = /^(?:[0-9A-Za-z\u00C0-\u017F]|[A-Za-z]\p{M}+)$/u;

/** Whether a name consists of Latin letters and digits, so that no character imitates another script. */
const isPlainLatin = (name: string): boolean =>
  Array.from(name.normalize('NFC')).every(
    (character) => plainLetter.test(character) || plainLetter.test(character.normalize('NFD')),
  );

/** Appearance of a username. */
interface Looks {
  /** Plain Latin names never conflict with each other. */
  readonly plain: boolean;
  /** Skeletons of the name in lower case and as written. */
  readonly skeletons: readonly string[];
}

/** The appearance of a username. */
export function looksOf(username: string): Looks {
  const [compared, written] = [loginKey(username), username.normalize('NFKC')];
  if (isPlainLatin(written)) return { plain: true, skeletons: [nameSkeleton(compared)] };
  return { plain: false, skeletons: [...new Set([nameSkeleton(compared), nameSkeleton(written)])] };
}

/** A claim without its owner. */
export interface Name {
  /** `site:kind:key`, from claimId(). */
  readonly _id: string;
  /** Skeleton id of a plain Latin username. Several names may share one. */
  readonly skeleton?: string | undefined;
}

/**
 * The claims of a username on a site: the name and, unless it is plain Latin, each of its skeletons. A plain Latin
 * name only records its skeleton, because plain Latin names never conflict with each other.
 */
export function usernameClaims(siteid: number, username: string): Name[] {
  const { plain, skeletons } = looksOf(username);
  const ids = skeletons.map((one) => skeletonId(siteid, one));
  const _id = claimId(siteid, 'username', username);
  return plain ? [{ _id, skeleton: ids[0] }] : [{ _id }, ...ids.map((id) => ({ _id: id }))];
}

/** Skeletons with which a plain Latin name conflicts with this username; none when it is plain Latin itself. */
export function plainLookAlikes(siteid: number, username: string): string[] {
  const { plain, skeletons } = looksOf(username);
  return plain ? [] : skeletons.map((one) => skeletonId(siteid, one));
}
