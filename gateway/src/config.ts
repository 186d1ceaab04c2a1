import { pageOrigin, plainPartUrl, publicAddresses, redisUrl } from '@covalence/runtime/addresses';
import { baseConfig, positiveInteger } from '@covalence/runtime/config';
import { z } from 'zod';

/** A comma-separated list of origins, or `*` for any. */
const origins = z
  .string()
  .default('*')
  .transform((text) => text.split(',').map((origin) => origin.trim()))
  .pipe(
    z.array(z.union([z.literal('*'), pageOrigin], 'must be * or addresses like https://app.example.com')),
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
    /** Origins of web clients that may call the API and open its WebSocket. */
    CORS_ORIGINS: origins,
    /**
     * What Strict-Transport-Security says where PUBLIC_URL is https; `off` sends none. Browsers keep to it for as long as it
     * says: try a short time first where other names under the same domain may still be plain http.
     */
    HSTS: z
      .string()
      .regex(
        /^(off|max-age=\d{1,10}(; includeSubDomains)?(; preload)?)$/,
        'must be off or like max-age=31536000; includeSubDomains',
      )
      .default('max-age=31536000; includeSubDomains'),
    /** Proxies in front of the gateway whose X-Forwarded-* headers are believed; 0 believes nobody's. */
    TRUSTED_PROXIES: z.coerce.number().int().min(0).max(10).default(0),
    /** Requests that one address and one member may make within the window. */
    RATE_WINDOW_SECONDS: positiveInteger(10),
    RATE_PER_ADDRESS: positiveInteger(10_000),
    RATE_PER_MEMBER: positiveInteger(4_000),
    /** How long a service may stay silent before the client gets 503. */
    UPSTREAM_TIMEOUT_MS: positiveInteger(30_000),
    /** How long a connection to a service may take to come about: shorter than a shutdown, which waits for what is under way. */
    UPSTREAM_CONNECT_TIMEOUT_MS: positiveInteger(5_000),
    /** Requests that one service owes an answer; more get 503 at once instead of piling up behind one that hangs. */
    UPSTREAM_MAX_REQUESTS: positiveInteger(2_000),
    /** How long a client may take for the headers, and for the whole request (slow-loris). */
    HEADERS_TIMEOUT_MS: positiveInteger(10_000),
    REQUEST_TIMEOUT_MS: positiveInteger(60_000),
    /** How long a client may read nothing of its answer. Nothing moves either while a service is silent, so it is longer than that. */
    CLIENT_SILENCE_MS: positiveInteger(60_000),
    /** How long an idle connection is kept; longer than what a load balancer in front keeps its own. */
    KEEP_ALIVE_TIMEOUT_MS: positiveInteger(65_000),
    /** How long Redis may take before admission goes on without it. */
    REDIS_TIMEOUT_MS: positiveInteger(250),
  })
  .refine(({ CLIENT_SILENCE_MS, UPSTREAM_TIMEOUT_MS }) => CLIENT_SILENCE_MS > UPSTREAM_TIMEOUT_MS, {
    path: ['CLIENT_SILENCE_MS'],
    error: 'must be longer than UPSTREAM_TIMEOUT_MS',
  });

/** The gateway's checked settings. */
export type Config = z.output<typeof configSchema>;

/** What every answer says in Strict-Transport-Security; undefined where members come by plain http. */
export const hstsOf = ({ HSTS, PUBLIC_URL }: Pick<Config, 'HSTS' | 'PUBLIC_URL'>): string | undefined =>
  HSTS === 'off' || !PUBLIC_URL.startsWith('https:') ? undefined : HSTS;
