import { pageOrigin, plainPartUrl, publicAddresses, redisUrl } from '@covalence/runtime/addresses';
import { baseConfig, positiveInteger } from '@covalence/runtime/config';
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
    AUTH_URL: plainPartUrl,
    PROFILE_URL: plainPartUrl,
    SEARCH_URL: plainPartUrl,
    BILLING_URL: plainPartUrl,
    UPDATES_URL: plainPartUrl,
    /** Origins, beside those of public clients, whose pages may call the API and open its WebSocket. */
    CORS_ORIGINS: origins,
    /**
     * Value of Strict-Transport-Security if PUBLIC_URL is https; `off` sends none. Browsers remember it for `max-age`: begin with a
     * short one if other hosts of the domain still use plain http.
     */
    HSTS: z
      .string()
      .regex(
        /^(off|max-age=\d{1,10}(; includeSubDomains)?(; preload)?)$/,
        'must be off or like max-age=31536000; includeSubDomains',
      )
      .default('max-age=31536000; includeSubDomains'),
    /** Number of proxies in front of the gateway whose X-Forwarded-* headers are trusted; 0 trusts none. */
    TRUSTED_PROXIES: z.coerce.number().int().min(0).max(10).default(0),
    /** Requests of one address and of one member within the window. */
    RATE_WINDOW_SECONDS: positiveInteger(10),
    RATE_PER_ADDRESS: positiveInteger(10_000),
    RATE_PER_MEMBER: positiveInteger(4_000),
    /** Time limit for a service's response, after which the client gets 503. */
    UPSTREAM_TIMEOUT_MS: positiveInteger(30_000),
    /** Time limit for connecting to a service; shorter than a shutdown, which waits for pending requests. */
    UPSTREAM_CONNECT_TIMEOUT_MS: positiveInteger(5_000),
    /** Pending requests of one service; more get 503 at once instead of queueing behind a service that hangs. */
    UPSTREAM_MAX_REQUESTS: positiveInteger(2_000),
    /** Time limits for a client's headers and whole request (slow loris). */
    HEADERS_TIMEOUT_MS: positiveInteger(10_000),
    REQUEST_TIMEOUT_MS: positiveInteger(60_000),
    /** Time after which a client that reads nothing of its response is disconnected. Longer than UPSTREAM_TIMEOUT_MS, when nothing flows either. */
    CLIENT_SILENCE_MS: positiveInteger(60_000),
    /** Keep-alive of idle connections; longer than that of a load balancer in front. */
    KEEP_ALIVE_TIMEOUT_MS: positiveInteger(65_000),
    /** Time limit of Redis calls, after which admission goes on without Redis. */
    REDIS_TIMEOUT_MS: positiveInteger(250),
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
