import { hourMs } from '@covalence/contract/time';
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Clock } from '@covalence/runtime/clock';
import type { PhotoAddress } from './fields/photo-object.ts';

/** The file that a signed address names, and the viewer that it was signed for. */
export interface SignedFile {
  readonly viewer: number;
  readonly photo: number;
  readonly ending: string;
}

/** Creates and reads addresses of photos. */
export type PhotoAddresses = ReturnType<typeof createPhotoAddresses>;

const signedName =
  /^(?<viewer>\d{1,15})-(?<photo>\d{1,15})-(?<until>\d{1,9})-(?<proof>[\w-]{43})(?<ending>_\d{3,4}\.(jpg|png|webp))$/;

/** The viewer of addresses for staff: their number, as in their tokens. */
export const staffViewer = 0;

/**
 * Creates addresses under `baseUrl`. A public photo has an address with its public name. Another photo has an address
 * that is signed for its viewer with the first of `secrets`; signatures of all of them are accepted. It stays the
 * same for an hour and works for one to two hours. Each fetch also checks what the viewer may see then.
 */
export function createPhotoAddresses(baseUrl: string, secrets: readonly string[], clock: Clock) {
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
    /** Addresses for one viewer; `staffViewer` for staff. */
    of:
      (viewer: number): PhotoAddress =>
      ({ public_photos: named = [] }, { id }) => {
        const name = named.find(({ photo }) => photo === id)?.name;
        return name === undefined ? signed(viewer, id) : `${origin}/photos/${name}`;
      },
    /** Reads the last segment of a signed address; undefined where the signature is wrong or expired. */
    readSigned(name: string): SignedFile | undefined {
      const { viewer, photo, until, proof = '', ending = '' } = signedName.exec(name)?.groups ?? {};
      const isOurs = proofsOf(`${viewer}-${photo}-${until}`).some(
        (made) => proof.length === made.length && timingSafeEqual(Buffer.from(made), Buffer.from(proof)),
      );
      if (!isOurs || thisHour() >= Number(until)) return undefined;
      return { viewer: Number(viewer), photo: Number(photo), ending };
    },
  };
}
