import { z } from 'zod';

const example = (text: string) => `must be an address like ${text}`;

/** A URL of one of these protocols; without a look at the host, `redis:6379` would be one too. */
const url = (protocol: RegExp, like: string) => z.url({ protocol, hostname: /./, error: example(like) });

/** An address and nothing behind it: what tokens, links and paths are made from. */
function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { username, password, pathname, search, hash } = new URL(text);
  return pathname === '/' && [username, password, search, hash].every((part) => part === '');
}

const origin = (protocol: RegExp, like: string) =>
  url(protocol, like)
    .refine(isOrigin, `${example(like)}, without path`)
    // A slash at the end would be another issuer, and double in every address made from it.
    .transform((text) => new URL(text).origin);

const publicAddress = origin(/^https?$/, 'https://api.example.com');

/** The address of a page, as browsers name it when the page calls the API. */
export const pageOrigin = origin(/^https?$/, 'https://app.example.com');

/** The public addresses of a system, which its access tokens name. */
export const publicAddresses = {
  /** {base_url}: what clients call, and the audience of access tokens. */
  PUBLIC_URL: publicAddress,
  /** {auth_url}: the authorization server, the issuer of tokens; PUBLIC_URL where nothing is said. */
  AUTH_PUBLIC_URL: publicAddress.optional(),
};

/** The inner address of a part. */
export const partUrl = origin(/^https?$/, 'http://profile:8082');

/** The inner address of a part that the gateway speaks to: over plain HTTP, its network policy keeps others out. */
export const plainPartUrl = origin(/^http$/, 'http://profile:8082');

/** MongoDB's connection string, which may name several hosts and so need not be a URL. */
export const mongodbUrl = z.string().regex(/^mongodb(\+srv)?:\/\/\S+$/, example('mongodb://host:27017'));

/** Redis' address. */
export const redisUrl = url(/^rediss?$/, 'redis://host:6379');

/** RabbitMQ's address. */
export const rabbitmqUrl = url(/^amqps?$/, 'amqp://host:5672');

/** What a service does about exchanges and queues: `check` where its account may not declare them. */
export const rabbitmqTopology = z.enum(['declare', 'check']).default('declare');

/** Elasticsearch's address; a path in front of its own is part of it. */
export const elasticsearchUrl = url(/^https?$/, 'https://host:9200');
