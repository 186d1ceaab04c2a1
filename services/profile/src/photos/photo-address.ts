import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
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

/**
 * Addresses under `baseUrl`. That of a public photo is its stem, 192 random bits that never change. That of a private one
 * is made for one viewer: it names viewer and photo and proves with `secret` that it was made here, so that every
 * call can be held against what the two agreed on, while its stem is told to nobody.
 */
export function createPhotoAddresses(baseUrl: string, secret: string): PhotoAddresses {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'private photos', 32));
  const proofOf = (viewer: number, photo: number) =>
    createHmac('sha256', key).update(`${viewer}:${photo}`).digest('base64url');
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
      const expected = Buffer.from(proofOf(file.viewer, file.photo));
      return timingSafeEqual(expected, Buffer.from(proof)) ? file : undefined;
    },
  };
}
