import { endedMessage } from '@covalence/contract/admission-flag';
import { ephemeralMessage } from '@covalence/contract/live-updates';
import type { Logger } from '@covalence/runtime/logger';
import { publish, type RedisClient } from '@covalence/runtime/redis';
import { readDelivery } from './delivery-trace.ts';
import { inSlices, perTurn } from './in-slices.ts';
import { memberKeys } from './member-keys.ts';
import { frameId, frameOf, freshTag, type Position } from './position.ts';
import { createChannelSubscriptions } from './channel-subscriptions.ts';

/** Why a member's sockets are to be closed. */
export type LockoutReason = 'deactivated' | 'ended';

/** Receives the messages of a member's channel. */
export interface Listener {
  /** A message was appended to the history, as its frame. */
  onMessage(at: Position, frame: Buffer): void;
  /** A message that is in no history; the tag identifies it. */
  onEphemeral(tag: string, payload: string): void;
  /** The member's tokens issued up to this second are refused. */
  onLockout(reason: LockoutReason, issuedBy: number): void;
  /** A sign-in of the member has ended, and its access tokens with it. */
  onFamilyEnded(family: string): void;
  /** The connection to Redis is down: the next message may not follow the last one. */
  onDisconnect(): void;
  /** The connection and the subscription are back. */
  onReconnect(): void;
}

/** Redis channels through which processes exchange new messages. */
export type ChannelStore = ReturnType<typeof createChannelStore>;

interface Channel {
  /** A list, because most have one entry and a set takes more memory. */
  readonly listeners: Listener[];
  /** Set while the subscription is pending. */
  subscribed: Promise<unknown> | undefined;
  /** Messages that are being delivered over several turns; the next one waits for them. */
  pending: number;
  delivering: Promise<void> | undefined;
}

const endedPrefix = endedMessage('');

const ephemeralPrefix = 'p ';
const lockoutForm = /^b (deactivated|ended) (\d+)$/;

/**
 * Reads a published text: `m <epoch> <number> <tag> <payload>`, `p <tag> <payload>` (ephemeral), `b <reason> <second>` (lockout),
 * or the end of a sign-in. Other texts are ignored.
 */
function readText(text: string): (listener: Listener) => void {
  if (text.startsWith(ephemeralPrefix)) {
    const [, tag = '', payload = ''] = /^p (\w+) (.*)$/s.exec(text) ?? [];
    return (listener) => payload && listener.onEphemeral(tag, payload);
  }
  const [, reason, issuedBy] = lockoutForm.exec(text) ?? [];
  if (reason) return (listener) => listener.onLockout(reason as LockoutReason, Number(issuedBy));
  const family = text.startsWith(endedPrefix) ? text.slice(endedPrefix.length) : undefined;
  if (family !== undefined) return (listener) => listener.onFamilyEnded(family);
  const [, epoch = '', number = '', tag = '', payload = ''] = /^m (\w+) (\d+) (\w+) (.*)$/s.exec(text) ?? [];
  if (!payload) return () => undefined;
  const at = { epoch, number: Number(number), tag };
  const frame = frameOf(frameId(at), payload);
  return (listener) => listener.onMessage(at, frame);
}

/** Delivers a message to more listeners than fit in one turn, after the messages before it. */
async function deliverInTurns(channel: Channel, notify: (listener: Listener) => void): Promise<void> {
  const before = channel.delivering;
  channel.pending += 1;
  await before;
  await inSlices([...channel.listeners], notify);
  channel.pending -= 1;
  if (!channel.pending) channel.delivering = undefined;
}

/** Delivers a message to every listener of a channel, in order, as a span of the trace that caused it. */
function deliver(channel: Channel, published: string): void {
  const { text, begin } = readDelivery(published);
  const notify = readText(text);
  const end = begin(channel.listeners.length);
  if (channel.listeners.length > perTurn || channel.pending > 0) {
    channel.delivering = deliverInTurns(channel, notify).finally(end);
    return;
  }
  for (const listener of channel.listeners) notify(listener);
  end();
}

/**
 * Creates the channels. `subscriber` is a connection of their own; `publisher` is for commands. A channel is subscribed while it
 * has listeners. After a reconnect, every channel is subscribed again before `onReconnect`.
 */
export function createChannelStore(options: {
  readonly subscriber: RedisClient;
  readonly publisher: RedisClient;
  readonly namespace: string;
  readonly logger: Logger;
}) {
  const { subscriber, publisher, namespace, logger } = options;
  const channels = new Map<string, Channel>();
  const nameOf = (member: number) => memberKeys(namespace, member).channel;

  const listenersOf = (names: readonly string[]) =>
    names.flatMap((name) => channels.get(name)?.listeners ?? []);
  const subscriptions = createChannelSubscriptions({
    subscriber,
    // A channel is no key.
    unusedKey: nameOf(0),
    logger,
    onText(name, text) {
      const channel = channels.get(name);
      if (channel) deliver(channel, text);
    },
    onLost(names) {
      for (const listener of listenersOf(names)) listener.onDisconnect();
    },
    onBack: (names) => inSlices(listenersOf(names), (listener) => listener.onReconnect()),
  });

  // Another primary may have taken over, which a connection that only receives does not notice.
  publisher.on('ready', subscriptions.check);

  const forget = async (name: string): Promise<void> => {
    channels.delete(name);
    await subscriptions.end(name);
  };

  const leave = async (member: number, listener: Listener): Promise<void> => {
    const name = nameOf(member);
    const channel = channels.get(name);
    const at = channel?.listeners.indexOf(listener) ?? -1;
    if (!channel || at < 0) return;
    channel.listeners.splice(at, 1);
    if (!channel.listeners.length) await forget(name);
  };

  return {
    /** Resolves when the listener receives everything published from now on; rejects while Redis is down. */
    async join(member: number, listener: Listener): Promise<void> {
      const name = nameOf(member);
      const channel: Channel = channels.get(name) ?? {
        listeners: [],
        subscribed: subscriptions.begin(name),
        pending: 0,
        delivering: undefined,
      };
      channels.set(name, channel);
      channel.listeners.push(listener);
      try {
        await channel.subscribed;
      } catch (error) {
        if (channels.get(name) === channel) void forget(name);
        throw error;
      }
      channel.subscribed = undefined;
    },
    /** Resolves when the listener receives nothing more. */
    leave,
    /** Whether any process has a socket of the member. */
    hasListener: async (member: number): Promise<boolean> =>
      (await publish(publisher, nameOf(member), 'listening')) > 0,
    /** Whether a socket can open; in a cluster, that of a member whose server is up. */
    isConnected: subscriptions.isConnected,
    /** Pings the subscribed connections, so that a dead one is noticed and replaced. */
    check: subscriptions.check,
    close: subscriptions.close,
    /** Sends a message that is in no history to every open socket of the members, on every process. */
    async publishEphemeral(members: readonly number[], payload: string): Promise<void> {
      const tag = freshTag();
      await Promise.all(
        members.map((member) => publish(publisher, nameOf(member), ephemeralMessage(tag, payload))),
      );
    },
    /** Has every process close the member's sockets, except those of a later sign-in. */
    async publishLockout(member: number, reason: LockoutReason, at: Date): Promise<void> {
      await publish(publisher, nameOf(member), `b ${reason} ${Math.floor(at.getTime() / 1000)}`);
    },
  };
}
