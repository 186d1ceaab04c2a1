import { baseConfig, jsonFile, serviceSecret, sitesFile } from '@covalence/runtime/config';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { parseAffiliates } from './affiliates/affiliates.ts';

/** The affiliates that ship with the service; sources and builds are equally far from them. */
const shippedAffiliates = fileURLToPath(new URL('../data/affiliates.json', import.meta.url));

/** The environment of the profile service. */
export const configSchema = z
  .object({
    ...baseConfig,
    SERVICE_SECRET: serviceSecret,
    SITES_FILE: sitesFile,
    /** {base_url}: what clients call, and the audience of access tokens. */
    PUBLIC_URL: z.url(),
    /** {auth_url}: the issuer of access tokens; the same address where nothing is said (D5). */
    AUTH_PUBLIC_URL: z.url().optional(),
    /** The auth service, as this one reaches it. */
    AUTH_URL: z.url(),
    MONGODB_URL: z.string(),
    REDIS_URL: z.string(),
    RABBITMQ_URL: z.string(),
    /** The folder that photos are served from. */
    PHOTO_DIR: z.string().min(1),
    /** Who sends members, and who of them is suspended (spec 10701). */
    AFFILIATES_FILE: z.string().default(shippedAffiliates).pipe(jsonFile(parseAffiliates)),
    /** Whether members may share private photos (spec 2.6). */
    PHOTO_SHARING: z.stringbool().default(false),
  })
  .transform((config) => ({ ...config, AUTH_PUBLIC_URL: config.AUTH_PUBLIC_URL ?? config.PUBLIC_URL }));

/** The checked configuration. */
export type Config = z.output<typeof configSchema>;
