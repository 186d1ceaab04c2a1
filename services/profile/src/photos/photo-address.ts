import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Clock } from '@covalence/runtime/clock';
import type { Photo } from '../members/member.ts';

/** The urlstem of a photo (spec 2.5), as one viewer is told it. */
export type PhotoAddress = (photo: Pick<Photo, 'id' | 'stem' | 'private'>) => string;

/** A file of a private photo that is asked for, and in whose name. */
export interface PrivateFile {
  readonly viewer: number;
  readonly photo: number;
  /** What follows the stem in the file's name: suffix and extension. */
  readonly ending: string;
}

/** Where photos are found. */
export interface PhotoAddresses {
  /** What a viewer is told; 0 is staff. */
  of(viewer: number): PhotoAddress;
  /** Reads the last segment of a private photo's address; undefined for one that was not made here. */
  readPrivate(name: string): PrivateFile | undefined;
}

const privateName =
  /^(?<viewer>\d{1,15})-(?<photo>\d{1,15})-(?<proof>[\w-]{43})(?<ending>_\d{3,4}\.(jpg|png|webp))$/;

const dayMs = 86_400_000;
/** The viewer of addresses for staff, whom nothing but time ends: their number, as in their tokens. */
export const staffViewer = 0;

/**
 * Addresses under `baseUrl`. That of a public photo is its stem, 192 random bits that never change. That of a private one
 * is made for one viewer: it names viewer and photo and proves with `secret` that it was made here, so that every
 * call can be held against what the two agreed on, while its stem is told to nobody. One for staff works until the end of the
 * next day (UTC), because nobody can take it back (P284).
 */
export function createPhotoAddresses(baseUrl: string, secret: string, clock: Clock): PhotoAddresses {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'private photos', 32));
  const today = () => Math.floor(clock().getTime() / dayMs);
  const proofOf = (viewer: number, photo: number, day = today()) =>
    createHmac('sha256', key)
      .update(viewer === staffViewer ? `${viewer}:${photo}:${day}` : `${viewer}:${photo}`)
      .digest('base64url');
  const { origin } = new URL(baseUrl);
  const under = (path: string) => origin + path;
  return {
    of: (viewer) => (photo) =>
      photo.private
        ? under(`/photos/private/${viewer}-${photo.id}-${proofOf(viewer, photo.id)}`)
        : under(`/photos/${photo.stem}`),
    readPrivate(name) {
      const { viewer = '', photo = '', proof = '', ending = '' } = privateName.exec(name)?.groups ?? {};
      if (!proof) return undefined;
      const file = { viewer: Number(viewer), photo: Number(photo), ending };
      const isProof = (day: number) =>
        timingSafeEqual(Buffer.from(proofOf(file.viewer, file.photo, day)), Buffer.from(proof));
      return isProof(today()) || isProof(today() - 1) ? file : undefined;
    },
  };
}
