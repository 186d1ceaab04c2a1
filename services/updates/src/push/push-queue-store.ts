import { isSecurityType, pushTypes, securityTypes, type PushedType } from '@covalence/contract/push-types';
import type { Clock } from '@covalence/runtime/clock';
import type { Logger } from '@covalence/runtime/logger';
import type { RedisClient } from '@covalence/runtime/redis';
import type { Result } from 'ioredis';
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { createReplayBuffer } from '../live/replay-buffer.ts';
import { laneOf } from './push-lane.ts';
import type { PushMessage } from './push-message.ts';
import { addScript, forgetScript, settleScript, claimScript } from './push-queue-scripts.ts';

/** A new push message and the endpoints of its devices. */
export interface PushRequest {
  readonly type: PushedType;
  readonly message: PushMessage & { readonly member: number };
  readonly endpoints: readonly string[];
  /** When it may be sent, ms; at once by default. */
  readonly from?: number | undefined;
}

/** A queued message, and its text as stored, by which it is deleted. */
export interface QueuedMessage extends PushMessage {
  readonly type: PushedType;
  /** The number of messages of its type that it stands for: it replaced those that waited. */
  readonly count: number;
  readonly text: string;
}

/** A device that this process has claimed to send to. */
export interface ClaimedDevice {
  /** Its push service or app. */
  readonly lane: string;
  readonly member: number;
  readonly device: string;
  /** When the claim ends, ms. */
  readonly until: number;
  /** At most one of each type, oldest first. */
  readonly messages: readonly QueuedMessage[];
  readonly failing: Failing | undefined;
}

/** Since when a device fails, ms, and the attempts since then. */
export interface Failing {
  readonly since: number;
  readonly attempts: number;
}

/** The result for a claimed device: messages that are done, and when to try the others, ms. */
export interface DeviceOutcome {
  readonly done: readonly QueuedMessage[];
  readonly next: number;
  readonly failing: Failing | undefined;
  /** Whether the others wait for the end of quiet hours. */
  readonly rests?: boolean;
}

interface QueueOptions {
  readonly namespace: string;
  /** The number of devices of a lane that may wait, or rest until quiet hours end. */
  readonly waitingIn: (lane: string, rests: boolean) => number;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** The queue of push messages by push service or app and device; any process can send them. */
export type PushQueue = ReturnType<typeof createPushQueue>;

type Scripts = Record<
  'addPush' | 'claimPush' | 'settlePush' | 'forgetPush',
  (...args: (string | number)[]) => Result<unknown, { type: 'default' }>
>;

/** Time for which events are remembered: as long as histories store their messages. */
const eventSeconds = 86_400;
/** Longer than a message is worth sending. */
const messageSeconds = 2 * 86_400;
/** Time for which a failing device is remembered after its last attempt. */
const failingSeconds = 14 * 86_400;
/** Push services that `count` includes. */
const countedLanes = 1_000;

const storedMessage = z.object({
  count: z.int().positive(),
  eventId: z.string(),
  update: z.object({ at: z.string(), data: z.looseObject({}) }),
});
const failingSchema = z.object({ since: z.coerce.number(), attempts: z.coerce.number() });
const typeSchema = z.enum([...pushTypes, ...securityTypes]);
const names = z.array(z.string());
const added = z.tuple([z.number(), z.number()]);

/** Identifies a device by a hash: its endpoint is a secret (RFC 8030, section 8). */
export const deviceOf = (endpoint: string): string =>
  createHash('sha256').update(endpoint).digest('base64url');

/** The message of a stored type and text; none of a type that only a later version knows, which sends it. */
function messageOf([stored, text]: readonly [string, string]): QueuedMessage[] {
  const type = typeSchema.safeParse(stored).data;
  return type ? [{ type, text, ...storedMessage.parse(JSON.parse(text)) }] : [];
}

/**
 * Creates the queue on Redis; at most `waitingIn` devices wait for one push service or app, those with messages about security aside.
 * After a reconnect, the messages of the last seconds are added again, because Redis may have lost them.
 */
export function createPushQueue(redis: RedisClient, { namespace, waitingIn, logger, clock }: QueueOptions) {
  redis.defineCommand('addPush', { lua: addScript });
  redis.defineCommand('claimPush', { numberOfKeys: 3, lua: claimScript });
  redis.defineCommand('settlePush', { numberOfKeys: 5, lua: settleScript });
  redis.defineCommand('forgetPush', { numberOfKeys: 5, lua: forgetScript });
  const scripts = redis as RedisClient & Scripts;
  const stem = `${namespace}:{push}`;
  const lanes = `${stem}:lanes`;
  const dueOf = (lane: string) => `${stem}:due:${lane}`;
  const restingOf = (lane: string) => `${stem}:quiet:${lane}`;
  // The last key lives longest and does not name the member.
  const keysOf = (lane: string, member: number, device: string) => [
    dueOf(lane),
    restingOf(lane),
    `${stem}:messages:${member}:${device}`,
    `${stem}:failing:${device}`,
  ];

  const write = async ({ type, message, endpoints, from = 0 }: PushRequest) => {
    const { member, eventId, update } = message;
    const devices = endpoints.map((endpoint) => ({
      lane: laneOf(endpoint),
      device: deviceOf(endpoint),
    }));
    const keys = [`${stem}:event:${member}:${eventId}`, lanes, `${stem}:newest:${member}`];
    keys.push(...devices.flatMap(({ lane, device }) => keysOf(lane, member, device)));
    // The script counts at its beginning.
    const text = JSON.stringify({ count: 1, eventId, update: { at: update.at, data: update.data } });
    const now = clock().getTime();
    const limits = [now, Math.max(now, from), eventSeconds, messageSeconds];
    const roomIn = (lane: string) =>
      isSecurityType(type) ? Number.MAX_SAFE_INTEGER : waitingIn(lane, from > now);
    const places = devices.flatMap(({ lane, device }) => [lane, `${member}:${device}`, roomIn(lane)]);
    const answer = await scripts.addPush(keys.length, ...keys, ...limits, type, text, ...places);
    const [replaced, dropped] = added.parse(answer);
    return { replaced, dropped };
  };
  const buffer = createReplayBuffer(redis, ({ message }) => message.member, write, logger);

  const readDevice = async (lane: string, name: string, until: number): Promise<ClaimedDevice> => {
    const [id = '', device = ''] = name.split(':');
    const member = Number(id);
    const [, , messages = '', failing = ''] = keysOf(lane, member, device);
    const [texts, state] = await Promise.all([redis.hgetall(messages), redis.hgetall(failing)]);
    return {
      lane,
      member,
      device,
      until,
      messages: Object.entries(texts)
        .flatMap(messageOf)
        .toSorted((one, other) => (one.eventId < other.eventId ? -1 : 1)),
      failing: failingSchema.safeParse(state).data,
    };
  };

  return {
    /** Queues a message for devices, once per event; returns how many replaced an older one, and how many found no room. */
    add: (request: PushRequest) => buffer.write(request),
    /** Push services with due devices, the longest waiting first. */
    lanesDue: (limit: number): Promise<string[]> =>
      redis.zrangebyscore(lanes, '-inf', clock().getTime(), 'LIMIT', 0, limit),
    /** Claims due devices; they are due again after `leaseMs` unless settled. */
    async claim(lane: string, limit: number, leaseMs: number): Promise<ClaimedDevice[]> {
      const now = clock().getTime();
      const until = now + leaseMs;
      const found = names.parse(
        await scripts.claimPush(lanes, dueOf(lane), restingOf(lane), lane, now, until, limit),
      );
      return Promise.all(found.map((name) => readDevice(lane, name, until)));
    },
    async settle(
      { lane, member, device, until, messages }: ClaimedDevice,
      { done, next, failing, rests = false }: DeviceOutcome,
    ): Promise<void> {
      const name = `${member}:${device}`;
      const state = failing ? [failing.since, failing.attempts] : ['', ''];
      const resting = rests ? messages.length - done.length : 0;
      const texts = done.flatMap(({ type, text }) => [type, text]);
      const args = [lane, name, until, next, failingSeconds, ...state, resting, clock().getTime(), ...texts];
      await scripts.settlePush(lanes, ...keysOf(lane, member, device), ...args);
    },
    /** Deletes everything about a device. */
    async forget({ lane, member, device }: ClaimedDevice): Promise<void> {
      const name = `${member}:${device}`;
      await scripts.forgetPush(lanes, ...keysOf(lane, member, device), lane, name);
    },
    /** The devices in the queue that do not rest, of the push services that have waited longest. */
    async count(): Promise<number> {
      const known = await redis.zrangebyscore(lanes, '-inf', '+inf', 'LIMIT', 0, countedLanes);
      const now = clock().getTime();
      const counts = await Promise.all(
        known.map(async (lane) => {
          const [all, resting] = await Promise.all([
            redis.zcard(dueOf(lane)),
            redis.zcount(restingOf(lane), `(${now}`, '+inf'),
          ]);
          return all - resting;
        }),
      );
      return counts.reduce((sum, one) => sum + one, 0);
    },
  };
}
