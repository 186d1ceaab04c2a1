/** Largest bodies in bytes: of any request, and of one with a photo, so that an image that is too large gets its code. */
export const bodyLimits = { standard: 1024 * 1024, photo: 16 * 1024 * 1024 } as const;
