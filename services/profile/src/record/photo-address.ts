import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Clock } from '@covalence/runtime/clock';
import type { PhotoAddress } from './fields/photo-object.ts';

/** A file that is asked for by a signed address, and in whose name. */
export interface SignedFile {
  readonly viewer: number;
  readonly photo: number;
  /** What follows the stem in the file's name: suffix and extension. */
  readonly ending: string;
}

/** Where photos are found. */
export interface PhotoAddresses {
  /** What a viewer is told; 0 is staff. */
  of(viewer: number): PhotoAddress;
  /** Reads the last segment of a signed address; undefined for one that was not made here, or has expired. */
  readSigned(name: string): SignedFile | undefined;
}

const signedName =
  /^(?<viewer>\d{1,15})-(?<photo>\d{1,15})-(?<until>\d{1,9})-(?<proof>[\w-]{43})(?<ending>_\d{3,4}\.(jpg|png|webp))$/;

const hourMs = 3_600_000;
/** The viewer of addresses for staff: their number, as in their tokens. */
export const staffViewer = 0;

/**
 * Addresses under `baseUrl`. A photo that everybody may see has its public name. Any other one is signed with a key made
 * from the first of `secrets`, and every one of them is accepted: the address names viewer, photo and the hour in which it expires. It is the same for an hour, and works for
 * one to two hours; each call is also checked against what the viewer may see then. The photo's stem is in neither.
 */
export function createPhotoAddresses(
  baseUrl: string,
  secrets: readonly string[],
  clock: Clock,
): PhotoAddresses {
  const keys = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', 'private photos', 32)));
  const thisHour = () => Math.floor(clock().getTime() / hourMs);
  const proofsOf = (claim: string) =>
    keys.map((key) => createHmac('sha256', key).update(claim).digest('base64url'));
  const { origin } = new URL(baseUrl);
  const signed = (viewer: number, photo: number) => {
    const claim = `${viewer}-${photo}-${thisHour() + 2}`;
    return `${origin}/photos/private/${claim}-${proofsOf(claim)[0]}`;
  };
  return {
    of:
      (viewer) =>
      ({ public_photos: named = [] }, { id }) => {
        const name = named.find(({ photo }) => photo === id)?.name;
        return name === undefined ? signed(viewer, id) : `${origin}/photos/${name}`;
      },
    readSigned(name) {
      const { viewer, photo, until, proof = '', ending = '' } = signedName.exec(name)?.groups ?? {};
      const isOurs = proofsOf(`${viewer}-${photo}-${until}`).some(
        (made) => proof.length === made.length && timingSafeEqual(Buffer.from(made), Buffer.from(proof)),
      );
      if (!isOurs || thisHour() >= Number(until)) return undefined;
      return { viewer: Number(viewer), photo: Number(photo), ending };
    },
  };
}
