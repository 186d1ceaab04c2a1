/**
 * What stands between a photo's stem and its extension in the name of one of its files. Sizes are edge lengths in pixels
 *: scaled to 1600 and 800, cropped to squares of 1000, 500 and 250; 400 (uncropped) and 150 (square) are legacy ones.
 */
export function photoSuffix(size: number): string {
  return `_${size}`;
}

/** Stems cannot be guessed: at least 16 random characters of the base64url alphabet. */
export const photoStem = /^[\w-]{16,80}$/;

/** Extensions of stored photos. */
export const photoExtension = /^\.(jpg|png|webp)$/;
