import { photoStorageSettings } from '@covalence/profile/photos/photo-storage-settings';
import { elasticsearchUrl, mongodbUrl, rabbitmqUrl, redisUrl } from '@covalence/runtime/addresses';
import { baseConfig, listOf, positiveInteger } from '@covalence/runtime/config';
import { z } from 'zod';

/** The environment of `covalence backup` and `covalence restore`. */
export const backupSettings = z
  .object({
    NAMESPACE: baseConfig.NAMESPACE,
    MONGODB_URL: mongodbUrl,
    ...photoStorageSettings,
    BACKUP_DIR: z.string().min(1).optional().describe('folder of the backups; required without a bucket'),
    BACKUP_S3_BUCKET: z.string().min(1).optional().describe('S3-compatible store for backups'),
    BACKUP_S3_REGION: z.string().default('us-east-1').describe('its region'),
    BACKUP_S3_ENDPOINT: z.url().optional().describe('its address'),
    BACKUP_S3_ACCESS_KEY_ID: z.string().optional().describe('its key'),
    BACKUP_S3_SECRET_ACCESS_KEY: z.string().optional().describe('the secret of the key'),
    BACKUP_RECIPIENTS: listOf(z.string().startsWith('age1'))
      .optional()
      .describe('public keys of age, by commas, that backups are encrypted for'),
    BACKUP_IDENTITIES: listOf(z.string().startsWith('AGE-SECRET-KEY-'))
      .optional()
      .describe('private keys of age, by commas, to read backups'),
    BACKUP_DAYS: positiveInteger(30).describe('days that backups are kept'),
    /** Only a restore needs these, with the rights of an operator. */
    RABBITMQ_URL: rabbitmqUrl.optional(),
    REDIS_URL: redisUrl.optional(),
    ELASTICSEARCH_URL: elasticsearchUrl.optional(),
  })
  .refine(({ BACKUP_DIR, BACKUP_S3_BUCKET }) => BACKUP_DIR ?? BACKUP_S3_BUCKET, {
    path: ['BACKUP_DIR'],
    error: 'set BACKUP_DIR to a folder, or BACKUP_S3_BUCKET to a bucket',
  });

/** The checked environment. */
export type BackupSettings = z.output<typeof backupSettings>;
