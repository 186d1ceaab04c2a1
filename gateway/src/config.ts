import { pageOrigin, plainServiceUrl, publicAddresses, redisUrl } from '@covalence/runtime/addresses';
import { integer, baseConfig, positiveInteger } from '@covalence/runtime/config';
import { z } from 'zod';

/** A comma-separated list of origins; `*` is any, `registered` adds none to those of public clients. */
const origins = z
  .string()
  .default('*')
  .transform((text) => text.split(',').map((origin) => origin.trim()))
  .pipe(
    z.array(
      z.union(
        [z.enum(['*', 'registered']), pageOrigin],
        'must be *, registered or addresses like https://app.example.com',
      ),
    ),
  );

/** The gateway's settings. */
export const configSchema = z
  .object({
    ...baseConfig,
    ...publicAddresses,
    REDIS_URL: redisUrl,
    AUTH_URL: plainServiceUrl,
    PROFILE_URL: plainServiceUrl,
    SEARCH_URL: plainServiceUrl,
    BILLING_URL: plainServiceUrl,
    UPDATES_URL: plainServiceUrl,
    CORS_ORIGINS: origins.describe(
      'origins that may call the API, beside public clients’: by commas, `*` any, `registered` none',
    ),
    HSTS: z
      .string()
      .regex(
        /^(off|max-age=\d{1,10}(; includeSubDomains)?(; preload)?)$/,
        'must be off or like max-age=31536000; includeSubDomains',
      )
      .default('max-age=31536000; includeSubDomains')
      .describe(
        '`Strict-Transport-Security` at https, or `off`; first a short `max-age` if sibling hosts use http',
      ),
    CONSOLE_DIR: z.string().min(1).optional().describe('folder of the built console (docs/console.md)'),
    CONSOLE_CLIENT_ID: z
      .uuid()
      .optional()
      .describe('client application of the console, which is served if both are set'),
    TRUSTED_PROXIES: integer({ min: 0, max: 10, standard: 0 }).describe(
      'number of proxies in front whose `X-Forwarded-*` headers are trusted',
    ),
    RATE_WINDOW_SECONDS: positiveInteger(10).describe('window of the two limits'),
    RATE_PER_ADDRESS: positiveInteger(10_000).describe('requests of one address within the window'),
    RATE_PER_MEMBER: positiveInteger(4_000).describe('requests of one member within the window'),
    UPSTREAM_TIMEOUT_MS: positiveInteger(30_000).describe('silence of a service before 503'),
    UPSTREAM_CONNECT_TIMEOUT_MS: positiveInteger(5_000).describe(
      'time to connect to a service before 503; shorter than a shutdown',
    ),
    UPSTREAM_MAX_REQUESTS: positiveInteger(2_000).describe(
      'unanswered requests of one service; more get 503 at once',
    ),
    HEADERS_TIMEOUT_MS: positiveInteger(10_000).describe('time for the headers of a request'),
    REQUEST_TIMEOUT_MS: positiveInteger(60_000).describe('time for a whole request'),
    CLIENT_SILENCE_MS: positiveInteger(60_000).describe(
      'silence of a client that reads nothing before a disconnect; above UPSTREAM_TIMEOUT_MS',
    ),
    KEEP_ALIVE_TIMEOUT_MS: positiveInteger(65_000).describe(
      'keep-alive of idle connections; longer than the load balancer’s',
    ),
    REDIS_TIMEOUT_MS: positiveInteger(250).describe('wait for Redis before a request is admitted without it'),
  })
  .refine(({ CLIENT_SILENCE_MS, UPSTREAM_TIMEOUT_MS }) => CLIENT_SILENCE_MS > UPSTREAM_TIMEOUT_MS, {
    path: ['CLIENT_SILENCE_MS'],
    error: 'must be longer than UPSTREAM_TIMEOUT_MS',
  });

/** The gateway's checked settings. */
export type Config = z.output<typeof configSchema>;

/** The Strict-Transport-Security header; undefined over plain http. */
export const hstsOf = ({ HSTS, PUBLIC_URL }: Pick<Config, 'HSTS' | 'PUBLIC_URL'>): string | undefined =>
  HSTS === 'off' || !PUBLIC_URL.startsWith('https:') ? undefined : HSTS;
