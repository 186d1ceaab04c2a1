import { serviceUrl, rabbitmqTopology, rabbitmqUrl, redisUrl } from '@covalence/runtime/addresses';
import { positiveInteger, serviceConfig, settingAt } from '@covalence/runtime/config';
import { z } from 'zod';
import { readPushApps } from './push/push-apps.ts';

/** The live-updates service's settings. */
export const configSchema = z
  .object({
    ...serviceConfig,
    AUTH_URL: serviceUrl,
    /** Internal address of the profile service, which stores the devices for push messages. */
    PROFILE_URL: serviceUrl,
    REDIS_URL: redisUrl,
    RABBITMQ_URL: rabbitmqUrl,
    RABBITMQ_TOPOLOGY: rabbitmqTopology,
    TOKEN_WAIT_MS: positiveInteger(10_000).describe('how long a socket may stay without a token'),
    HEARTBEAT_MS: positiveInteger(30_000).describe(
      'interval of pings; a socket that did not answer the last one is closed at the next',
    ),
    PRESENCE_EVERY_MS: positiveInteger(2_000).describe('interval of the presence job'),
    CLOSE_WAIT_MS: positiveInteger(3_000).describe('wait for the answer to a close frame'),
    MAX_BUFFERED_BYTES: positiveInteger(1024 * 1024).describe(
      'unsent data of a slow reader before it is closed with 1013',
    ),
    SOCKETS_PER_PROCESS: positiveInteger(20_000).describe('open sockets of this process'),
    SOCKETS_PER_MEMBER: positiveInteger(20).describe('open sockets of one member'),
    SOCKETS_PER_ADDRESS: positiveInteger(2_000).describe('open sockets of one address'),
    HISTORY_LENGTH: positiveInteger(500).describe('live updates kept per member for resuming'),
    HISTORY_SECONDS: positiveInteger(86_400).describe('how long they are kept'),
    VAPID_PUBLIC_KEY: z
      .string()
      .length(87)
      .optional()
      .describe('public key of web push, base64url; all three or none'),
    VAPID_PRIVATE_KEY: z.string().length(43).optional().describe('its private key'),
    VAPID_SUBJECT: z
      .string()
      .regex(/^(mailto:|https:)/)
      .optional()
      .describe('the operator’s address for push services: `mailto:` or `https:`'),
    PUSH_APPS_FILE: settingAt(readPushApps)
      .default(new Map())
      .describe('apps with APNs or FCM ([push.md](push.md))'),
    PUSH_ALLOWED_ADDRESSES: z
      .string()
      .default('')
      .describe('for tests: private addresses that push services may have, by commas'),
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
