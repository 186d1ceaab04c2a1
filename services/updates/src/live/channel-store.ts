import { endedMessage } from '@covalence/contract/admission-flag';
import type { Logger } from '@covalence/runtime/logger';
import { chunks } from '@covalence/runtime/chunks';
import type { Redis } from 'ioredis';
import { inSlices } from './in-slices.ts';
import { readDelivery } from './delivery-trace.ts';
import { memberKeys } from './member-keys.ts';
import { frameId, frameOf, freshTag, type Position } from './position.ts';

/** Why a member's sockets are to be closed. */
export type BarReason = 'deactivated' | 'ended';

/** A socket's ear on its member's channel. */
export interface Listener {
  /** A message was appended to the history, as its frame. */
  message(at: Position, frame: Buffer): void;
  /** Something that holds for the moment and is in no history; the tag is its own. */
  passing(tag: string, payload: string): void;
  /** The member's tokens issued up to a second since the epoch are refused: deactivated, or ended with a suspension or a deletion. */
  barred(reason: BarReason, issuedBy: number): void;
  /** A sign-in of the member has ended, and its access tokens with it. */
  familyEnded(family: string): void;
  /** The connection to Redis is away: what is heard next may not follow what was heard before. */
  lost(): void;
  /** It is back, and the channel is heard again. */
  gap(): void;
}

/** The channels on which processes tell each other of new messages. */
export interface ChannelStore {
  /** Resolves when the listener hears everything that is published from now on; rejects while Redis is away. */
  join(member: number, listener: Listener): Promise<void>;
  leave(member: number, listener: Listener): void;
  /** Tells every open socket of members, on every process, what is in no history. */
  publishPassing(members: readonly number[], payload: string): Promise<void>;
  /** Asks Redis for an answer on the connection that hears: one that is dead and does not show it is made anew for want of that. */
  check(): void;
  /** Tells every process that the member's sockets are to be closed, but for those of a later sign-in. */
  publishBarred(member: number, reason: BarReason, at: Date): Promise<void>;
}

interface Channel {
  /** A list, because most have one and a set for each is a good part of what a socket costs. */
  readonly listeners: Listener[];
  /** While the subscription is under way. */
  subscribed: Promise<unknown> | undefined;
  /** Texts that are being told over several turns; the next one waits for them. */
  underWay: number;
  telling: Promise<void> | undefined;
}

const barReasons: readonly BarReason[] = ['deactivated', 'ended'];
const perSubscribe = 1_000;
/** Listeners that are told in one turn. */
const atOnce = 250;

const endedPrefix = endedMessage('');

const passingPrefix = 'p ';
const barredForm = /^b (\w+) (\d+)$/;

/**
 * What a published text says to a listener: `m <epoch> <number> <tag> <payload>`, `p <tag> <payload>`, `b <reason> <second>` to
 * close, or which sign-in ended. A text of another version says nothing.
 */
function readText(text: string): (listener: Listener) => void {
  if (text.startsWith(passingPrefix)) {
    const [, tag = '', payload = ''] = /^p (\w+) (.*)$/s.exec(text) ?? [];
    return (listener) => payload && listener.passing(tag, payload);
  }
  const [, name, issuedBy] = barredForm.exec(text) ?? [];
  const reason = barReasons.find((each) => each === name);
  if (reason) return (listener) => listener.barred(reason, Number(issuedBy));
  const family = text.startsWith(endedPrefix) ? text.slice(endedPrefix.length) : undefined;
  if (family !== undefined) return (listener) => listener.familyEnded(family);
  const [, epoch = '', number = '', tag = '', payload = ''] = /^m (\w+) (\d+) (\w+) (.*)$/s.exec(text) ?? [];
  if (!payload) return () => undefined;
  const at = { epoch, number: Number(number), tag };
  const frame = frameOf(frameId(at), payload);
  return (listener) => listener.message(at, frame);
}

/** Tells a text to more listeners than one turn takes, after the texts before it. */
async function tellInTurns(channel: Channel, tell: (listener: Listener) => void): Promise<void> {
  const before = channel.telling;
  channel.underWay += 1;
  await before;
  await inSlices([...channel.listeners], tell);
  channel.underWay -= 1;
  if (!channel.underWay) channel.telling = undefined;
}

/** Tells a text to everyone on a channel, in the order of the texts; that is a step of the trace that caused it. */
function tellAll(channel: Channel, published: string): void {
  const { text, begin } = readDelivery(published);
  const tell = readText(text);
  const end = begin(channel.listeners.length);
  if (channel.listeners.length > atOnce || channel.underWay > 0) {
    channel.telling = tellInTurns(channel, tell).finally(end);
    return;
  }
  for (const listener of channel.listeners) tell(listener);
  end();
}

/**
 * Creates the channels over a connection of their own (`subscriber`); `publisher` is for commands. A channel is
 * subscribed while it has listeners. When Redis comes back every channel is subscribed again before listeners are told
 * of the gap.
 */
export function createChannelStore(options: {
  readonly subscriber: Redis;
  readonly publisher: Redis;
  readonly namespace: string;
  readonly logger: Logger;
}): ChannelStore {
  const { subscriber, publisher, namespace, logger } = options;
  const channels = new Map<string, Channel>();
  const nameOf = (member: number) => memberKeys(namespace, member).channel;

  /** Where an answer fails to come on a connection that seems to be there, it is made anew: what was asked for may not be so. */
  const answered = async (answer: Promise<unknown>): Promise<void> => {
    try {
      await answer;
    } catch (error) {
      if (subscriber.status === 'ready') subscriber.disconnect(true);
      throw error;
    }
  };

  const resubscribe = async (): Promise<void> => {
    for (const names of chunks([...channels.keys()], perSubscribe)) {
      // One that was left meanwhile would be heard by nobody, and its member never be told by push.
      const wanted = names.filter((name) => channels.has(name));
      if (wanted.length) await answered(subscriber.subscribe(...wanted));
    }
    const listeners = [...channels.values()].flatMap((channel) => [...channel.listeners]);
    await inSlices(listeners, (listener) => listener.gap());
  };

  subscriber.on('message', (name: string, text: string) => {
    const channel = channels.get(name);
    if (channel) tellAll(channel, text);
  });
  subscriber.on('close', () => {
    for (const { listeners } of channels.values()) for (const listener of listeners) listener.lost();
  });
  subscriber.on('ready', () => {
    // After a failure the next connection brings the next `ready`.
    resubscribe().catch((error: unknown) => logger.warn({ err: error }, 'channels not subscribed again'));
  });

  const forget = (name: string): void => {
    channels.delete(name);
    // Where Redis is away there is nothing to unsubscribe.
    subscriber.unsubscribe(name).catch(() => undefined);
  };

  const leave: ChannelStore['leave'] = (member, listener) => {
    const name = nameOf(member);
    const channel = channels.get(name);
    const at = channel?.listeners.indexOf(listener) ?? -1;
    if (!channel || at < 0) return;
    channel.listeners.splice(at, 1);
    if (channel.listeners.length) return;
    forget(name);
  };

  return {
    async join(member, listener) {
      const name = nameOf(member);
      const channel: Channel = channels.get(name) ?? {
        listeners: [],
        subscribed: subscriber.subscribe(name),
        underWay: 0,
        telling: undefined,
      };
      channels.set(name, channel);
      channel.listeners.push(listener);
      try {
        await channel.subscribed;
      } catch (error) {
        if (channels.get(name) === channel) forget(name);
        throw error;
      }
      channel.subscribed = undefined;
    },
    leave,
    check() {
      subscriber.ping().catch(() => undefined);
    },
    async publishPassing(members, payload) {
      const tag = freshTag();
      await Promise.all(members.map((member) => publisher.publish(nameOf(member), `p ${tag} ${payload}`)));
    },
    async publishBarred(member, reason, at) {
      await publisher.publish(nameOf(member), `b ${reason} ${Math.floor(at.getTime() / 1000)}`);
    },
  };
}
