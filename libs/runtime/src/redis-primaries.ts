import { Cluster, type Redis, type RedisOptions } from 'ioredis';
import { primariesOf, reconnectDelay, serverName, type RedisClient } from './redis.ts';

/** One connection to each server that takes writes. */
interface Primaries {
  /** The connection to the server that has a key; undefined while none is known. */
  ownerOf(key: string): Redis | undefined;
  /** A key with this beginning that the server of a connection has; undefined if it has none. */
  keyAt(connection: Redis, beginning: string): string | undefined;
  all(): Redis[];
  close(): void;
}

const slots = 16_384;

/** CRC-16 (XMODEM), by which a cluster assigns keys to slots. */
function crc16(text: string): number {
  let crc = 0;
  for (const byte of Buffer.from(text)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1)
      crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  }
  return crc;
}

/** The slot of a key: of the part in its first braces if that is not empty. */
export function slotOf(key: string): number {
  const [, tag] = /^[^{]*\{([^}]+)\}/.exec(key) ?? [];
  return crc16(tag ?? key) % slots;
}

/** Tags that are tried for a server: more than it takes to find a slot of one in a hundred servers. */
const triedTags = 2_000;

/**
 * Follows the servers that take writes. Without a cluster the client itself is the connection to the only one; in a cluster each has
 * one of its own, as long as it is a primary. Calls `opened` with each connection, and `checked` after each look at the cluster, with
 * whether keys have other owners now.
 */
export function followPrimaries(
  redis: RedisClient,
  options: RedisOptions,
  opened: (connection: Redis) => void,
  checked: (hasChanged: boolean) => void = () => undefined,
): Primaries {
  if (!(redis instanceof Cluster)) {
    opened(redis);
    return {
      ownerOf: () => redis,
      keyAt: (_connection, beginning) => beginning,
      all: () => [redis],
      close: () => redis.disconnect(),
    };
  }
  const connections = new Map<string, Redis>();
  let owners: (string | undefined)[] = [];
  const follow = () => {
    const primaries = new Map(primariesOf(redis).map((server) => [serverName(server), server]));
    for (const [name, connection] of connections) {
      if (primaries.has(name)) continue;
      connections.delete(name);
      connection.disconnect();
    }
    for (const [name, server] of primaries) {
      if (connections.has(name)) continue;
      const connection = server.duplicate({
        enableOfflineQueue: false,
        maxRetriesPerRequest: 0,
        retryStrategy: reconnectDelay,
        lazyConnect: false,
        readOnly: false,
        ...options,
      });
      // The cluster's client reports errors of its servers.
      connection.on('error', () => undefined);
      connections.set(name, connection);
      opened(connection);
    }
    const now = Array.from(redis.slots, (nodes) => nodes?.[0]);
    const hasChanged = now.length !== owners.length || now.some((owner, slot) => owner !== owners[slot]);
    owners = now;
    checked(hasChanged);
  };
  redis.on('refresh', follow);
  if (redis.status === 'ready') setImmediate(follow);
  const ownerOf = (key: string) => connections.get(owners[slotOf(key)] ?? '');
  return {
    ownerOf,
    keyAt(connection, beginning) {
      for (let tag = 0; tag < triedTags; tag += 1) {
        const key = `${beginning}{${tag}}`;
        if (ownerOf(key) === connection) return key;
      }
      return undefined;
    },
    all: () => [...connections.values()],
    close() {
      redis.off('refresh', follow);
      for (const connection of connections.values()) connection.disconnect();
      connections.clear();
    },
  };
}
