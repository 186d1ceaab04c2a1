import { z } from 'zod';
import type { PhotoStorageOptions } from './photo-storage-store.ts';

/** The settings of the photo storage. */
export const photoStorageSettings = {
  PHOTO_DIR: z.string().min(1).optional().describe('folder of the photos; required without a bucket'),
  PHOTO_S3_BUCKET: z
    .string()
    .min(1)
    .optional()
    .describe('S3-compatible store for photos instead of the folder'),
  PHOTO_S3_REGION: z.string().default('us-east-1').describe('its region'),
  PHOTO_S3_ENDPOINT: z.url().optional().meta({ description: 'its address', default: 'AWS' }),
  PHOTO_S3_ACCESS_KEY_ID: z
    .string()
    .optional()
    .describe('its key; both or none, where the machine’s role grants access'),
  PHOTO_S3_SECRET_ACCESS_KEY: z.string().optional().describe('the secret of the key'),
};

/** The storage that they describe. */
export function photoStorageOf(
  config: z.output<z.ZodObject<typeof photoStorageSettings>>,
): PhotoStorageOptions {
  const { PHOTO_S3_BUCKET: bucket, PHOTO_DIR: folder = '' } = config;
  if (!bucket) return { folder };
  return {
    s3: {
      bucket,
      region: config.PHOTO_S3_REGION,
      endpoint: config.PHOTO_S3_ENDPOINT,
      accessKeyId: config.PHOTO_S3_ACCESS_KEY_ID,
      secretAccessKey: config.PHOTO_S3_SECRET_ACCESS_KEY,
    },
  };
}
