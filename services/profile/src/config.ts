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

/** The affiliates that ship with the service; sources and builds are equally far from them. */
const shippedAffiliates = fileURLToPath(new URL('../data/affiliates.json', import.meta.url));

/** The environment of the profile service. */
export const configSchema = z
  .object({
    ...baseConfig,
    ...serviceKeys,
    /** Displaces the positions of members that others measure distances to; at least 32 characters. */
    POSITION_SECRET: z.string().min(32),
    SITES_FILE: sitesFile,
    ...publicAddresses,
    /** The auth service, as this one reaches it. */
    AUTH_URL: partUrl,
    /** The other services that keep something of members, for exports and erasures. */
    BILLING_URL: partUrl,
    SEARCH_URL: partUrl,
    UPDATES_URL: partUrl,
    /** Exports of everything stored that a member may ask for in an hour. */
    EXPORTS_PER_HOUR: z.coerce.number().int().min(1).default(10),
    /** Other e-mail addresses that a member may ask for in an hour. */
    EMAILS_PER_HOUR: z.coerce.number().int().min(1).default(10),
    /** Other usernames that a member may ask for in an hour. */
    USERNAMES_PER_HOUR: z.coerce.number().int().min(1).default(10),
    /** Registrations from one address in an hour. */
    REGISTRATIONS_PER_HOUR: z.coerce.number().int().min(1).default(20),
    /** Taken names and addresses that one address may be told of in an hour; a registration asks for two at once. */
    TAKEN_NAMES_PER_HOUR: z.coerce.number().int().min(2).default(10),
    /** Days that evidence is kept after its report was closed. */
    EVIDENCE_DAYS: z.coerce.number().int().min(1).max(3_650).default(365),
    /** Days that a rejected text or photo stays readable to staff. */
    REJECTED_DAYS: z.coerce.number().int().min(1).max(3_650).default(90),
    /** How often the job that erases deleted members looks. */
    ERASURE_POLL_MS: z.coerce.number().int().min(100).default(60_000),
    MONGODB_URL: mongodbUrl,
    REDIS_URL: redisUrl,
    RABBITMQ_URL: rabbitmqUrl,
    RABBITMQ_TOPOLOGY: rabbitmqTopology,
    /** Who sends members, and who of them is suspended. */
    AFFILIATES_FILE: z.string().default(shippedAffiliates).pipe(jsonFile(parseAffiliates)),
    /** The folder that photos are kept in, where no bucket is named. */
    PHOTO_DIR: z.string().min(1).optional(),
    /** An S3-compatible store for photos instead of the folder. */
    PHOTO_S3_BUCKET: z.string().min(1).optional(),
    PHOTO_S3_REGION: z.string().default('us-east-1'),
    PHOTO_S3_ENDPOINT: z.url().optional(),
    /** Left out where the machine's own role gives access. */
    PHOTO_S3_ACCESS_KEY_ID: z.string().optional(),
    PHOTO_S3_SECRET_ACCESS_KEY: z.string().optional(),
    /** Images that are worked on at once; each may take some 300 MB for a moment. */
    PHOTO_THREADS: z.coerce.number().int().min(1).max(64).default(2),
    /** Whether members may share private photos. */
    PHOTO_SHARING: z.stringbool().default(true),
  })
  .refine(({ PHOTO_DIR, PHOTO_S3_BUCKET }) => PHOTO_DIR ?? PHOTO_S3_BUCKET, {
    path: ['PHOTO_DIR'],
    error: 'name a folder, or a bucket with PHOTO_S3_BUCKET',
  })
  // With one of them alone the machine's role would be tried, and only photos would tell.
  .refine(({ PHOTO_S3_ACCESS_KEY_ID: id, PHOTO_S3_SECRET_ACCESS_KEY: key }) => !id === !key, {
    path: ['PHOTO_S3_ACCESS_KEY_ID'],
    error: 'PHOTO_S3_ACCESS_KEY_ID and PHOTO_S3_SECRET_ACCESS_KEY go together',
  });

/** The checked configuration. */
export type Config = z.output<typeof configSchema>;
