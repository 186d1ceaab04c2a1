import {
  mongodbUrl,
  partUrl,
  publicAddresses,
  rabbitmqTopology,
  rabbitmqUrl,
  redisUrl,
} from '@covalence/runtime/addresses';
import { baseConfig, jsonFile, serviceKeys, sitesFile } from '@covalence/runtime/config';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { parseAffiliates } from './affiliates/affiliates.ts';

/** The affiliates that ship with the service; the path is the same from sources and builds. */
const shippedAffiliates = fileURLToPath(new URL('../data/affiliates.json', import.meta.url));

/** The environment of the profile service. */
export const configSchema = z
  .object({
    ...baseConfig,
    ...serviceKeys,
    /** Secret for displacing the positions that others measure distances to; at least 32 characters. */
    POSITION_SECRET: z.string().min(32),
    SITES_FILE: sitesFile,
    ...publicAddresses,
    /** Address of the auth service. */
    AUTH_URL: partUrl,
    /** Addresses of the other services that store data of members. */
    BILLING_URL: partUrl,
    SEARCH_URL: partUrl,
    UPDATES_URL: partUrl,
    /** Exports of one member in an hour. */
    EXPORTS_PER_HOUR: z.coerce.number().int().min(1).default(10),
    /** New e-mail addresses that a member may request in an hour. */
    EMAILS_PER_HOUR: z.coerce.number().int().min(1).default(10),
    /** New usernames that a member may request in an hour. */
    USERNAMES_PER_HOUR: z.coerce.number().int().min(1).default(10),
    /** Registrations from one client address in an hour. */
    REGISTRATIONS_PER_HOUR: z.coerce.number().int().min(1).default(20),
    /** Taken usernames and e-mails that one client address may learn in an hour; a registration checks two. */
    TAKEN_NAMES_PER_HOUR: z.coerce.number().int().min(2).default(10),
    /** Days that evidence is kept after its report was closed. */
    EVIDENCE_DAYS: z.coerce.number().int().min(1).max(3_650).default(365),
    /** Days that a rejected text or photo stays readable to staff. */
    REJECTED_DAYS: z.coerce.number().int().min(1).max(3_650).default(90),
    /** Milliseconds between rounds of the job that erases members. */
    ERASURE_POLL_MS: z.coerce.number().int().min(100).default(60_000),
    MONGODB_URL: mongodbUrl,
    REDIS_URL: redisUrl,
    RABBITMQ_URL: rabbitmqUrl,
    RABBITMQ_TOPOLOGY: rabbitmqTopology,
    /** File of the affiliates and their states. */
    AFFILIATES_FILE: z.string().default(shippedAffiliates).pipe(jsonFile(parseAffiliates)),
    /** Folder of the photos; required without a bucket. */
    PHOTO_DIR: z.string().min(1).optional(),
    /** An S3-compatible store for photos instead of the folder. */
    PHOTO_S3_BUCKET: z.string().min(1).optional(),
    PHOTO_S3_REGION: z.string().default('us-east-1'),
    PHOTO_S3_ENDPOINT: z.url().optional(),
    /** Optional where the machine's role grants access. */
    PHOTO_S3_ACCESS_KEY_ID: z.string().optional(),
    PHOTO_S3_SECRET_ACCESS_KEY: z.string().optional(),
    /** Images rendered in parallel; each may need 300 MB for a moment. */
    PHOTO_THREADS: z.coerce.number().int().min(1).max(64).default(2),
    /** Whether members may share private photos. */
    PHOTO_SHARING: z.stringbool().default(true),
  })
  .refine(({ PHOTO_DIR, PHOTO_S3_BUCKET }) => PHOTO_DIR ?? PHOTO_S3_BUCKET, {
    path: ['PHOTO_DIR'],
    error: 'set PHOTO_DIR to a folder, or PHOTO_S3_BUCKET to a bucket',
  })
  // One of them alone would silently fall back to the machine's role.
  .refine(({ PHOTO_S3_ACCESS_KEY_ID: id, PHOTO_S3_SECRET_ACCESS_KEY: key }) => !id === !key, {
    path: ['PHOTO_S3_ACCESS_KEY_ID'],
    error: 'set both PHOTO_S3_ACCESS_KEY_ID and PHOTO_S3_SECRET_ACCESS_KEY, or neither',
  });

/** The checked configuration. */
export type Config = z.output<typeof configSchema>;
