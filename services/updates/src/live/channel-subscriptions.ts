import { chunks } from '@covalence/runtime/chunks';
import type { Logger } from '@covalence/runtime/logger';
import type { RedisClient } from '@covalence/runtime/redis';
import { followPrimaries } from '@covalence/runtime/redis-primaries';
import type { Redis } from 'ioredis';
import { types } from 'node:util';

const perSubscribe = 1_000;

/**
 * Creates the subscriptions on connections of `subscriber`, which take no other commands. In a cluster a channel belongs to the server
 * of its slot (sharded pub/sub). A channel is subscribed until it is ended: again after a reconnect, and elsewhere if its slot moves.
 */
export function createChannelSubscriptions(options: {
  readonly subscriber: RedisClient;
  /** A key that nobody sets. */
  readonly unusedKey: string;
  readonly logger: Logger;
  readonly onText: (name: string, text: string) => void;
  /** The next messages of these channels may be missed. */
  readonly onLost: (names: readonly string[]) => void;
  /** These channels are subscribed again. */
  readonly onBack: (names: readonly string[]) => Promise<void>;
}) {
  const { subscriber, unusedKey, logger, onText, onLost, onBack } = options;
  const isSharded = subscriber.isCluster;
  /** The connection that has each channel; none while it is lost. */
  const places = new Map<string, Redis | undefined>();

  const lose = (isLost: (at: Redis, name: string) => boolean) => {
    const lost = [...places].filter(([name, at]) => at && isLost(at, name)).map(([name]) => name);
    for (const name of lost) places.set(name, undefined);
    onLost(lost);
  };

  /** The channels of one command share a slot. */
  const subscribe = (at: Redis, names: readonly string[]): Promise<unknown> =>
    isSharded ? Promise.all(names.map((name) => at.ssubscribe(name))) : at.subscribe(...names);

  const failed = (at: Redis, lost: readonly string[], error: unknown): void => {
    logger.warn({ err: error }, 'channels not subscribed again, retrying with the next connection');
    const hasMoved = types.isNativeError(error) && error.message.startsWith('MOVED ');
    // A connection that seems open but does not answer is replaced: the subscription may not exist.
    if (!hasMoved && at.status === 'ready') at.disconnect(true);
    for (const name of lost) if (places.get(name) === at) places.set(name, undefined);
  };

  const restore = async (at: Redis, lost: readonly string[]): Promise<void> => {
    // All at once, so that no other attempt takes them, too.
    for (const name of lost) places.set(name, at);
    const waiting = new Set(lost);
    try {
      for (const names of chunks(lost, perSubscribe)) {
        // A subscription without a listener would suppress push messages to its member.
        const wanted = names.filter((name) => places.get(name) === at);
        if (wanted.length) await subscribe(at, wanted);
        for (const name of names) waiting.delete(name);
        await onBack(wanted);
      }
    } catch (error) {
      failed(at, [...waiting], error);
    }
  };

  const restoreAll = (): void => {
    const lostAt = Map.groupBy(
      [...places].filter(([, at]) => !at).map(([name]) => name),
      (name) => primaries.ownerOf(name),
    );
    for (const [at, names] of lostAt) {
      if (at?.status !== 'ready') continue;
      // After a failure the next connection, or the next look at the cluster, brings another attempt.
      void restore(at, names);
    }
  };

  const primaries = followPrimaries(
    subscriber,
    {},
    (connection) => {
      connection.on(isSharded ? 'smessage' : 'message', onText);
      connection.on('close', () => lose((at) => at === connection));
      connection.on('ready', restoreAll);
    },
    (hasChanged) => {
      if (hasChanged) lose((at, name) => at !== primaries.ownerOf(name));
      restoreAll();
    },
  );

  return {
    /** Resolves when everything published from now on is received; rejects while the server is down. */
    async begin(name: string): Promise<void> {
      const at = primaries.ownerOf(name);
      if (!at) throw new Error('CLUSTERDOWN the server of the channel is not known');
      places.set(name, at);
      await subscribe(at, [name]);
    },
    async end(name: string): Promise<void> {
      const at = places.get(name);
      places.delete(name);
      // When Redis is down there is nothing to unsubscribe.
      await (isSharded ? at?.sunsubscribe(name) : at?.unsubscribe(name))?.catch(() => undefined);
    },
    isConnected: (): boolean => primaries.all().some(({ status }) => status === 'ready'),
    check: (): void => {
      for (const connection of primaries.all()) {
        // A write without effect, which a server refuses that is no longer the primary: the client then connects to another.
        const answer = isSharded ? connection.ping() : connection.del(unusedKey);
        answer.catch(() => undefined);
      }
    },
    close: () => primaries.close(),
  };
}
