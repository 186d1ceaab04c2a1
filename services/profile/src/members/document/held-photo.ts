/** What names the stored files of a photo, and what its member wrote beside it. */
export interface HeldPhoto {
  readonly id: number;
  readonly stem: string;
  /** With its dot, e.g. `.jpg`. */
  readonly extension: string;
  /** Edge lengths in pixels of the files that exist. */
  readonly sizes: readonly number[];
  readonly caption?: string;
}

/** Of a photo what decisions and reports refer to it by. */
export function heldFrom({ id, stem, extension, sizes, caption }: HeldPhoto): HeldPhoto {
  return { id, stem, extension, sizes, ...(caption !== undefined && { caption }) };
}
