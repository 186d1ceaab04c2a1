import { mongodbUrl, partUrl, publicAddresses, redisUrl } from '@covalence/runtime/addresses';
import { baseConfig, listOf, positiveInteger, serviceKeys, sitesFile } from '@covalence/runtime/config';
import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { identityProviders } from './accounts/identities/identity-providers.ts';

/** The environment of the auth service. */
export const configSchema = z
  .object({
    ...baseConfig,
    ...serviceKeys,
    /**
     * Encrypts signing keys at rest, signs cookies and form tokens; at least 32 characters. A comma-separated list:
     * the first entry encrypts and signs, every entry decrypts and verifies.
     */
    AUTH_SECRET: listOf(z.string().min(32)),
    ...publicAddresses,
    MONGODB_URL: mongodbUrl,
    REDIS_URL: redisUrl,
    PROFILE_URL: partUrl,
    SITES_FILE: sitesFile,
    /** The OpenID providers whose accounts sign members in, with their secrets, as JSON; none by default. */
    IDENTITY_PROVIDERS: identityProviders.default([]),
    /** The mail server: smtp://user:password@host:port (with STARTTLS, except on this host) or smtps://. */
    MAIL_URL: z.url({ protocol: /^smtps?$/ }).optional(),
    /** A folder for .eml files, instead of a mail server. */
    MAIL_DIR: z.string().min(1).optional(),
    /** Sender address; default: no-reply at the host of AUTH_PUBLIC_URL. */
    MAIL_FROM: z
      .string()
      .regex(/^[^\s<>@]+@[^\s<>@]+$/, 'must be an address without a name, e.g. no-reply@example.com')
      .optional(),
    /** Mails for a new password per account within LOGIN_FAILURE_WINDOW_SECONDS. */
    MAIL_REQUESTS_PER_ACCOUNT: positiveInteger(3),
    /** Requests for such mails per address within the window. */
    MAIL_REQUESTS_PER_ADDRESS: positiveInteger(20),
    /** Hours until a mailed link opens an account with passkeys, so that its owner can cancel; 0 opens it at once. */
    RECOVERY_DELAY_HOURS: z.coerce.number().int().min(0).max(168).default(24),
    /** Failed sign-ins per account within the window; more get 429. */
    LOGIN_FAILURES_PER_ACCOUNT: positiveInteger(5),
    /** Failed sign-ins per address within the window. */
    LOGIN_FAILURES_PER_ADDRESS: positiveInteger(50),
    /** Failed sign-ins per known device within the window. */
    LOGIN_FAILURES_PER_DEVICE: positiveInteger(20),
    /** Whether staff need a second factor; `optional` asks for one only where there is one. */
    STAFF_SECOND_FACTOR: z.enum(['required', 'optional']).default('required'),
    /** Concurrent password hashes, each in a low-priority thread; default: one per core, at most four. */
    HASHES_AT_ONCE: z.coerce.number().int().min(1).max(32).default(Math.min(4, availableParallelism())),
    LOGIN_FAILURE_WINDOW_SECONDS: positiveInteger(900),
  })
  .refine(({ MAIL_URL, MAIL_DIR }) => (MAIL_URL === undefined) !== (MAIL_DIR === undefined), {
    path: ['MAIL_URL'],
    message: 'set either MAIL_URL or MAIL_DIR',
  })
  .transform((config) => {
    const AUTH_PUBLIC_URL = config.AUTH_PUBLIC_URL ?? config.PUBLIC_URL;
    const MAIL_FROM = config.MAIL_FROM ?? `no-reply@${new URL(AUTH_PUBLIC_URL).hostname}`;
    return { ...config, AUTH_PUBLIC_URL, MAIL_FROM };
  });

/** The service's settings. */
export type Config = z.output<typeof configSchema>;
