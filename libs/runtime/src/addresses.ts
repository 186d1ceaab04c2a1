import { z } from 'zod';
import { hostUrls } from './host-urls.ts';
import { readRedisAddress } from './redis-address.ts';

const example = (text: string) => `must be an address like ${text}`;

/** A URL of one of these protocols. The host is checked too: otherwise `redis:6379` would pass as a URL. */
const url = (protocol: RegExp, like: string) => z.url({ protocol, hostname: /./, error: example(like) });

/** An origin without path, query or credentials: tokens, links and paths are built from it. */
function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { username, password, pathname, search, hash } = new URL(text);
  return pathname === '/' && [username, password, search, hash].every((part) => part === '');
}

const origin = (protocol: RegExp, like: string) =>
  url(protocol, like)
    .refine(isOrigin, `${example(like)}, without path`)
    // A trailing slash would make another issuer, and double slashes in every address built from it.
    .transform((text) => new URL(text).origin);

const publicAddress = origin(/^https?$/, 'https://api.example.com');

/** The origin of a web page, as browsers send it. */
export const pageOrigin = origin(/^https?$/, 'https://app.example.com');

/** The public addresses of a system, which its access tokens name. */
export const publicAddresses = {
  PUBLIC_URL: publicAddress.describe('public address of the API, audience of tokens'),
  AUTH_PUBLIC_URL: publicAddress.optional().meta({
    description: 'public address of auth, issuer of tokens; its host owns passkeys',
    default: '`PUBLIC_URL`',
  }),
};

/** The internal address of a service. */
export const serviceUrl = origin(/^https?$/, 'http://profile:8082').describe('internal address of a service');

/** The internal address of a service behind the gateway: plain HTTP, protected by its network policy. */
export const plainServiceUrl = origin(/^http$/, 'http://profile:8082').describe(
  'internal address of a service',
);

/** MongoDB's connection string, which may name several hosts and so need not be a URL. */
export const mongodbUrl = z
  .string()
  .regex(/^mongodb(\+srv)?:\/\/\S+$/, example('mongodb://host:27017'))
  .describe('MongoDB');

/** Redis' address: one server, a cluster, or Sentinels. */
export const redisUrl = z
  .string()
  .refine((text) => readRedisAddress(text) !== undefined, example('redis://host:6379'))
  .describe('Redis: `redis://host`, `redis+cluster://a,b,c` or `redis+sentinel://a,b,c/name`');

/** The address of a cluster: its hosts by commas. */
const hosts = (scheme: RegExp, like: string) =>
  z.string().refine((text) => scheme.test(text) && hostUrls(text) !== undefined, example(like));

/** RabbitMQ's address. */
export const rabbitmqUrl = hosts(/^amqps?:/, 'amqp://host:5672').describe(
  'RabbitMQ; several hosts, comma-separated',
);

/** Declares or checks the exchanges and queues of a service. */
export const rabbitmqTopology = z
  .enum(['declare', 'check'])
  .default('declare')
  .describe('`declare` exchanges and queues at the start, or `check` those of the operator');

/** Elasticsearch's address. */
export const elasticsearchUrl = hosts(/^https?:/, 'https://host:9200').describe(
  'Elasticsearch; several hosts, comma-separated; may have a path prefix',
);
