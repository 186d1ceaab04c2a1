import {
  partUrl,
  publicAddresses,
  rabbitmqTopology,
  rabbitmqUrl,
  redisUrl,
} from '@covalence/runtime/addresses';
import { baseConfig, positiveInteger, serviceKeys, settingAt } from '@covalence/runtime/config';
import { z } from 'zod';
import { readPushApps } from './push/push-apps.ts';

/** The live-updates service's settings. */
export const configSchema = z
  .object({
    ...baseConfig,
    ...serviceKeys,
    ...publicAddresses,
    AUTH_URL: partUrl,
    /** Internal address of the profile service, which stores the devices for push messages. */
    PROFILE_URL: partUrl,
    REDIS_URL: redisUrl,
    RABBITMQ_URL: rabbitmqUrl,
    RABBITMQ_TOPOLOGY: rabbitmqTopology,
    /** How long a socket may stay without a token. */
    TOKEN_WAIT_MS: positiveInteger(10_000),
    /** Interval between two pings; a socket that did not answer the last one is terminated at the next. */
    HEARTBEAT_MS: positiveInteger(30_000),
    /** Interval between two checks of presence; one process checks at a time. */
    PRESENCE_EVERY_MS: positiveInteger(2_000),
    /** How long a socket may take to answer a close frame before it is terminated. */
    CLOSE_WAIT_MS: positiveInteger(3_000),
    /** Bytes that may wait for a slow reader before it is closed with 1013. */
    MAX_BUFFERED_BYTES: positiveInteger(1024 * 1024),
    /** Maximum open sockets of this process, of one member and of one address. */
    SOCKETS_PER_PROCESS: positiveInteger(20_000),
    SOCKETS_PER_MEMBER: positiveInteger(20),
    SOCKETS_PER_ADDRESS: positiveInteger(2_000),
    /** Messages stored per member for resuming, and for how long. */
    HISTORY_LENGTH: positiveInteger(500),
    HISTORY_SECONDS: positiveInteger(86_400),
    /** The key pair that identifies this system to push services, base64url; without it, no push messages are sent. */
    VAPID_PUBLIC_KEY: z.string().length(87).optional(),
    VAPID_PRIVATE_KEY: z.string().length(43).optional(),
    /** The operator's address for push services: `mailto:` or `https:`. */
    VAPID_SUBJECT: z
      .string()
      .regex(/^(mailto:|https:)/)
      .optional(),
    /** The installed apps that take push messages, with the files of their keys beside the list. */
    PUSH_APPS_FILE: settingAt(readPushApps).default(new Map()),
    /** For tests only: addresses, separated by commas, that push services may have although they are not public. */
    PUSH_ALLOWED_ADDRESSES: z.string().default(''),
  })
  .refine(
    ({ VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY, VAPID_SUBJECT }) => {
      const set = [VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY, VAPID_SUBJECT].filter((one) => one !== undefined);
      return set.length === 0 || set.length === 3;
    },
    {
      path: ['VAPID_PUBLIC_KEY'],
      error: 'set all of VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY and VAPID_SUBJECT, or none',
    },
  );

/** The live-updates service's checked settings. */
export type Config = z.output<typeof configSchema>;
