/**
 * The part of a photo's file name between stem and extension. Sizes in pixels: scaled to 1600, 800 and 400 (legacy), cropped
 * to squares of 1000, 500, 250 and 150 (legacy).
 */
export function photoSuffix(size: number): string {
  return `_${size}`;
}

/** A stem is unguessable: at least 16 random base64url characters. */
export const photoStem = /^[\w-]{16,80}$/;

/** Extensions of stored photos. */
export const photoExtension = /^\.(jpg|png|webp)$/;
