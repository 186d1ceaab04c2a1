/** Largest image in bytes; larger ones are 11205. */
export const imageLimit = 5 * 1024 * 1024;

/** The types that the interface accepts (11206). */
export type ImageType = 'bmp' | 'gif' | 'ico' | 'jpg' | 'png';

const signatures: readonly (readonly [start: string, type: ImageType])[] = [
  ['ffd8ff', 'jpg'],
  ['89504e470d0a1a0a', 'png'],
  ['474946383761', 'gif'],
  ['474946383961', 'gif'],
  ['00000100', 'ico'],
  ['424d', 'bmp'],
];

/** The type of a file by its content, never by its name; undefined for every other type. */
export function imageTypeOf(bytes: Buffer): ImageType | undefined {
  const start = bytes.toString('hex', 0, 8);
  return signatures.find(([signature]) => start.startsWith(signature))?.[1];
}
