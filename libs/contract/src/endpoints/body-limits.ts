/** Largest bodies in bytes. The one for photos exceeds the image limit, so that a large image gets its failure code. */
export const bodyLimits = { standard: 1024 * 1024, photo: 16 * 1024 * 1024 } as const;
