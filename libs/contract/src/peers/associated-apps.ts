import { z } from 'zod';

/** Settings of a client: its apps on phones, which share passkeys with the hosted pages. */
export const associatedApps = {
  /** The Android app that shares passkeys with the hosted pages: its package and SHA-256 fingerprints of certificates. */
  android_app: z
    .object({
      package: z
        .string()
        .max(255)
        .regex(/^[A-Za-z]\w*(\.[A-Za-z]\w*)+$/),
      fingerprints: z
        .array(z.string().regex(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/))
        .min(1)
        .max(10),
    })
    .nullable(),
  /** The app of Apple's platforms that shares them: team id, a dot, bundle id. */
  ios_app: z
    .string()
    .regex(/^[A-Z0-9]{10}\.[A-Za-z0-9.-]{1,155}$/)
    .nullable(),
};
