import { serviceUrl, redisUrl } from '@covalence/runtime/addresses';
import {
  integer,
  jsonFile,
  positiveInteger,
  serviceConfig,
  sitesFile,
  storesConfig,
} from '@covalence/runtime/config';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { parseAffiliates } from './affiliates/affiliates.ts';
import { parseReasons } from './moderation/saved-reasons.ts';
import { photoStorageSettings } from './photos/photo-storage-settings.ts';

/** The affiliates that ship with the service; the path is the same from sources and builds. */
const shippedAffiliates = fileURLToPath(new URL('../data/affiliates.json', import.meta.url));

const shippedReasons = fileURLToPath(new URL('../data/decision-reasons.json', import.meta.url));

/** The environment of the profile service. */
export const configSchema = z
  .object({
    ...serviceConfig,
    ...storesConfig,
    POSITION_SECRET: z
      .string()
      .min(32)
      .describe('displaces the positions that others measure distances to; at least 32 characters'),
    SITES_FILE: sitesFile,
    /** Address of the auth service. */
    AUTH_URL: serviceUrl,
    /** Addresses of the other services that store data of members. */
    BILLING_URL: serviceUrl,
    SEARCH_URL: serviceUrl,
    UPDATES_URL: serviceUrl,
    EXPORTS_PER_HOUR: positiveInteger(10).describe('exports of one member'),
    EMAILS_PER_HOUR: positiveInteger(10).describe('new email addresses that a member may request'),
    USERNAMES_PER_HOUR: positiveInteger(10).describe('new usernames that a member may request'),
    REGISTRATIONS_PER_HOUR: positiveInteger(20).describe(
      'registrations from one network address (IPv6: /64)',
    ),
    TAKEN_NAMES_PER_HOUR: integer({ min: 2, standard: 10 }).describe(
      'taken usernames and emails that one network address may learn; a registration checks two',
    ),
    STAFF_SEARCHES_PER_HOUR: positiveInteger(120).describe(
      'searches for members, and members whose data is read, by one staff account',
    ),
    EVIDENCE_DAYS: integer({ min: 1, max: 3_650, standard: 365 }).describe(
      'days that evidence is kept after its report was closed; an appeal may come for 184',
    ),
    REJECTED_DAYS: integer({ min: 1, max: 3_650, standard: 190 }).describe(
      'days that a rejected text or photo is kept; an appeal may come for 184',
    ),
    REASONS_FILE: z
      .string()
      .default(shippedReasons)
      .pipe(jsonFile(parseReasons))
      .meta({ description: 'reasons that staff choose from, in six languages', default: 'shipped' }),
    BAN_YEARS: integer({ min: 1, max: 10, standard: 3 }).describe(
      'years that an entry of the ban list is kept',
    ),
    ERASURE_POLL_MS: integer({ min: 100, standard: 60_000 }).describe(
      'interval of the job that erases members',
    ),
    REDIS_URL: redisUrl,
    AFFILIATES_FILE: z
      .string()
      .default(shippedAffiliates)
      .pipe(jsonFile(parseAffiliates))
      .meta({ description: 'affiliates: active or suspended, `redirect_url`', default: 'shipped' }),
    ...photoStorageSettings,
    PHOTO_THREADS: integer({ min: 1, max: 64, standard: 2 }).describe('concurrent images, 300 MB each'),
    PHOTO_SHARING: z.stringbool().default(true).describe('whether private photos can be shared'),
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
