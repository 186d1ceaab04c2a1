import { mongodbUrl, serviceUrl, redisUrl } from '@covalence/runtime/addresses';
import { integer, listOf, positiveInteger, serviceConfig, sitesFile } from '@covalence/runtime/config';
import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { identityProviders } from './accounts/identities/identity-providers.ts';

/** The environment of the auth service. */
export const configSchema = z
  .object({
    ...serviceConfig,
    AUTH_SECRET: listOf(z.string().min(32)).describe(
      'by commas, at least 32 characters each: the first encrypts and signs, all decrypt and verify',
    ),
    MONGODB_URL: mongodbUrl,
    REDIS_URL: redisUrl,
    PROFILE_URL: serviceUrl,
    SITES_FILE: sitesFile,
    IDENTITY_PROVIDERS: identityProviders
      .default([])
      .describe('[OpenID providers](operations.md#add-sign-in-with-apple-or-google) of members, as JSON'),
    MAIL_URL: z
      .url({ protocol: /^smtps?$/ })
      .optional()
      .describe(
        'mail server: `smtp://user:password@host:port` (STARTTLS, except on this host) or `smtps://`',
      ),
    MAIL_DIR: z.string().min(1).optional().describe('folder for `.eml` files, instead of a mail server'),
    MAIL_FROM: z
      .string()
      .regex(/^[^\s<>@]+@[^\s<>@]+$/, 'must be an address without a name, e.g. no-reply@example.com')
      .optional()
      .meta({ description: 'sender address', default: '`no-reply@` the host of AUTH_PUBLIC_URL' }),
    MAIL_REQUESTS_PER_ACCOUNT: positiveInteger(3).describe(
      'mails for a new password per account within LOGIN_FAILURE_WINDOW_SECONDS',
    ),
    MAIL_REQUESTS_PER_ADDRESS: positiveInteger(20).describe(
      'requests for such mails per address within the window',
    ),
    RECOVERY_DELAY_HOURS: integer({ min: 0, max: 168, standard: 24 }).describe(
      'hours until a mailed link opens an account with passkeys, so that its owner can cancel',
    ),
    LOGIN_FAILURES_PER_ACCOUNT: positiveInteger(5).describe(
      'failed sign-ins per account within the window before 429',
    ),
    LOGIN_FAILURES_PER_ADDRESS: positiveInteger(50).describe('the same per address'),
    LOGIN_FAILURES_PER_DEVICE: positiveInteger(20).describe('the same per known device'),
    STAFF_SECOND_FACTOR: z
      .enum(['required', 'optional'])
      .default('required')
      .describe('`required`, or `optional`: asked for only if the account has one, as under `npm start`'),
    HASHES_AT_ONCE: integer({ min: 1, max: 32, standard: Math.min(4, availableParallelism()) }).meta({
      description: 'concurrent password hashes',
      default: 'cores, up to 4',
    }),
    LOGIN_FAILURE_WINDOW_SECONDS: positiveInteger(900).describe('window of these limits'),
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
