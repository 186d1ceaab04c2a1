import { mongodbUrl, partUrl, publicAddresses, redisUrl } from '@covalence/runtime/addresses';
import { baseConfig, listOf, positiveInteger, serviceKeys, sitesFile } from '@covalence/runtime/config';
import { availableParallelism } from 'node:os';
import { z } from 'zod';

/** The environment of the auth service. */
export const configSchema = z
  .object({
    ...baseConfig,
    ...serviceKeys,
    /**
     * Encrypts signing keys at rest, signs cookies and form tokens; at least 32 characters. A list, separated by commas: the
     * first entry is used, and what an earlier one has sealed or signed is accepted.
     */
    AUTH_SECRET: listOf(z.string().min(32)),
    ...publicAddresses,
    MONGODB_URL: mongodbUrl,
    REDIS_URL: redisUrl,
    PROFILE_URL: partUrl,
    SITES_FILE: sitesFile,
    /** The server that mail is sent by: smtp://user:password@host:port (STARTTLS where offered) or smtps://. */
    MAIL_URL: z.url({ protocol: /^smtps?$/ }).optional(),
    /** Instead of a server: the folder in which each mail becomes an .eml file. */
    MAIL_DIR: z.string().min(1).optional(),
    /** Address that mail comes from; no-reply at the host of AUTH_PUBLIC_URL by default. */
    MAIL_FROM: z
      .string()
      .regex(/^[^\s<>@]+@[^\s<>@]+$/, 'must be an address alone, like no-reply@example.com')
      .optional(),
    /** Mails for a forgotten password that one account gets within the window below. */
    MAIL_REQUESTS_PER_ACCOUNT: positiveInteger(3),
    /** Requests for such mails from one address within the window. */
    MAIL_REQUESTS_PER_ADDRESS: positiveInteger(20),
    /** Failed sign-ins for one account within the window, after which further ones are slowed down. */
    LOGIN_FAILURES_PER_ACCOUNT: positiveInteger(5),
    /** Failed sign-ins from one address within the window. */
    LOGIN_FAILURES_PER_ADDRESS: positiveInteger(50),
    /** Failed sign-ins within the window in a browser that signed in to the account before. */
    LOGIN_FAILURES_PER_DEVICE: positiveInteger(20),
    /** Passwords that are hashed at once, each in a thread that everything else goes before: one for each core, at most four. */
    HASHES_AT_ONCE: z.coerce.number().int().min(1).max(32).default(Math.min(4, availableParallelism())),
    LOGIN_FAILURE_WINDOW_SECONDS: positiveInteger(900),
  })
  .refine(({ MAIL_URL, MAIL_DIR }) => (MAIL_URL === undefined) !== (MAIL_DIR === undefined), {
    path: ['MAIL_URL'],
    message: 'exactly one of MAIL_URL and MAIL_DIR is needed',
  })
  .transform((config) => {
    const AUTH_PUBLIC_URL = config.AUTH_PUBLIC_URL ?? config.PUBLIC_URL;
    const MAIL_FROM = config.MAIL_FROM ?? `no-reply@${new URL(AUTH_PUBLIC_URL).hostname}`;
    return { ...config, AUTH_PUBLIC_URL, MAIL_FROM };
  });

/** The service's settings. */
export type Config = z.output<typeof configSchema>;
