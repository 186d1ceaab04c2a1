import { pushTypes, type PushType } from '@covalence/contract/push-types';
import type { Clock } from '@covalence/runtime/clock';
import type { Logger } from '@covalence/runtime/logger';
import type { Redis, Result } from 'ioredis';
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Notification } from '../live/notification.ts';
import { createReplayBuffer } from '../live/replay-buffer.ts';
import type { PushMessage } from './push-message.ts';
import { addScript, forgetScript, settleScript, takeScript } from './push-queue-scripts.ts';

/** A message and the devices that are to be told. */
export interface Told {
  readonly type: PushType;
  readonly message: Notification;
  readonly endpoints: readonly string[];
}

/** A message that waits, and the text by which the store knows it. */
export interface QueuedMessage extends PushMessage {
  readonly type: PushType;
  readonly text: string;
}

/** A device that was taken in order to be told. */
export interface ClaimedDevice {
  readonly host: string;
  readonly member: number;
  readonly device: string;
  /** Until when it is this process's; in ms since the epoch, as are the others. */
  readonly until: number;
  /** At most one of each type, the oldest first. */
  readonly messages: readonly QueuedMessage[];
  readonly failing: Failing | undefined;
}

/** Since when a device takes nothing, in ms since the epoch, and how often it was tried; undefined where the last try went well. */
export interface Failing {
  readonly since: number;
  readonly tries: number;
}

/** What became of a device that was taken: of messages that are `over`, nothing is left to do; `next` is when to try the others. */
export interface DeviceOutcome {
  readonly over: readonly QueuedMessage[];
  readonly next: number;
  readonly failing: Failing | undefined;
}

/** What waits to be pushed, by push service and device, so that any process can send it. */
export interface PushQueue {
  /** Keeps a message for devices, once per event; says how many took the place of another, and how many found no room. */
  add(told: Told): Promise<{ replaced: number; dropped: number }>;
  /** Push services with devices that are due, the longest waiting first. */
  hostsDue(limit: number): Promise<string[]>;
  /** Takes devices that are due; they are due again after `leaseMs`, where nothing is settled before. */
  take(host: string, limit: number, leaseMs: number): Promise<ClaimedDevice[]>;
  settle(taken: ClaimedDevice, settled: DeviceOutcome): Promise<void>;
  /** Keeps nothing more for a device, nor about it. */
  forget(taken: ClaimedDevice): Promise<void>;
  /** How many devices wait, of the push services that have waited longest. */
  count(): Promise<number>;
}

interface Scripts {
  addPush(...args: (string | number)[]): Result<unknown, { type: 'default' }>;
  takePush(...args: (string | number)[]): Result<unknown, { type: 'default' }>;
  settlePush(...args: (string | number)[]): Result<unknown, { type: 'default' }>;
  forgetPush(...args: (string | number)[]): Result<unknown, { type: 'default' }>;
}

/** An event is known for as long as the histories keep what they told. */
const toldSeconds = 86_400;
/** Longer than any message is worth keeping. */
const messageSeconds = 2 * 86_400;
/** A device that takes nothing is known for so long after its last try. */
const failingSeconds = 14 * 86_400;
/** Push services that are counted. */
const countedHosts = 1_000;

const kept = z.object({ eventId: z.string(), update: z.object({ at: z.string(), data: z.looseObject({}) }) });
const failingSchema = z.object({ since: z.coerce.number(), tries: z.coerce.number() });
const typeSchema = z.enum(pushTypes);
const names = z.array(z.string());
const added = z.tuple([z.number(), z.number()]);

/** A device by its endpoint, which itself is a secret (RFC 8030, 8). */
export const deviceOf = (endpoint: string): string =>
  createHash('sha256').update(endpoint).digest('base64url');

const messageOf = ([type, text]: readonly [string, string]): QueuedMessage => ({
  type: typeSchema.parse(type),
  text,
  ...kept.parse(JSON.parse(text)),
});

/**
 * Creates the store on Redis; at most `perHost` devices wait for one push service, so that one that is away fills no more. What this process added
 * in the last seconds before Redis comes back is added again, as the histories do.
 */
export function createPushQueue(
  redis: Redis,
  { namespace, perHost, logger, clock }: { namespace: string; perHost: number; logger: Logger; clock: Clock },
): PushQueue {
  redis.defineCommand('addPush', { lua: addScript });
  redis.defineCommand('takePush', { numberOfKeys: 2, lua: takeScript });
  redis.defineCommand('settlePush', { numberOfKeys: 4, lua: settleScript });
  redis.defineCommand('forgetPush', { numberOfKeys: 4, lua: forgetScript });
  const scripts = redis as Redis & Scripts;
  const stem = `${namespace}:{push}`;
  const hosts = `${stem}:hosts`;
  const dueOf = (host: string) => `${stem}:due:${host}`;
  // The last one lives longest and says nothing of the member.
  const keysOf = (host: string, member: number, device: string) => [
    dueOf(host),
    `${stem}:messages:${member}:${device}`,
    `${stem}:failing:${device}`,
  ];

  const write = async ({ type, message, endpoints }: Told) => {
    const { member, eventId, update } = message;
    const devices = endpoints.map((endpoint) => ({
      host: new URL(endpoint).host,
      device: deviceOf(endpoint),
    }));
    const keys = [`${stem}:told:${member}:${eventId}`, hosts];
    keys.push(...devices.flatMap(({ host, device }) => keysOf(host, member, device)));
    const text = JSON.stringify({ eventId, update: { at: update.at, data: update.data } });
    const limits = [clock().getTime(), toldSeconds, messageSeconds, perHost];
    const places = devices.flatMap(({ host, device }) => [host, `${member}:${device}`]);
    const answer = await scripts.addPush(keys.length, ...keys, ...limits, type, text, ...places);
    const [replaced, dropped] = added.parse(answer);
    return { replaced, dropped };
  };
  const recent = createReplayBuffer(redis, write, logger);

  const takenOf = async (host: string, name: string, until: number): Promise<ClaimedDevice> => {
    const [id = '', device = ''] = name.split(':');
    const member = Number(id);
    const [, messages = '', failing = ''] = keysOf(host, member, device);
    const [texts, state] = await Promise.all([redis.hgetall(messages), redis.hgetall(failing)]);
    return {
      host,
      member,
      device,
      until,
      messages: Object.entries(texts)
        .map(messageOf)
        .toSorted((one, other) => (one.eventId < other.eventId ? -1 : 1)),
      failing: failingSchema.safeParse(state).data,
    };
  };

  return {
    add: (told) => recent.write(told),
    hostsDue: (limit) => redis.zrangebyscore(hosts, '-inf', clock().getTime(), 'LIMIT', 0, limit),
    async take(host, limit, leaseMs) {
      const now = clock().getTime();
      const until = now + leaseMs;
      const found = names.parse(await scripts.takePush(hosts, dueOf(host), host, now, until, limit));
      return Promise.all(found.map((name) => takenOf(host, name, until)));
    },
    async settle({ host, member, device, until }, { over, next, failing }) {
      const name = `${member}:${device}`;
      const state = failing ? [failing.since, failing.tries] : ['', ''];
      const texts = over.flatMap(({ type, text }) => [type, text]);
      const args = [host, name, until, next, failingSeconds, ...state, ...texts];
      await scripts.settlePush(hosts, ...keysOf(host, member, device), ...args);
    },
    async forget({ host, member, device }) {
      const name = `${member}:${device}`;
      await scripts.forgetPush(hosts, ...keysOf(host, member, device), host, name);
    },
    async count() {
      const known = await redis.zrangebyscore(hosts, '-inf', '+inf', 'LIMIT', 0, countedHosts);
      const counts = await Promise.all(known.map((host) => redis.zcard(dueOf(host))));
      return counts.reduce((sum, one) => sum + one, 0);
    },
  };
}
