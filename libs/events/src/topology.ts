import type { EventType } from '@covalence/contract/events';
import type { Channel } from 'amqplib';
import { connectOnce } from './broker-hosts.ts';

/** Every queue and its bindings. Each process declares all of it, so that no event is lost to a service that starts late. */
export const queues = {
  /** State: keeps the search index equal to the members. */
  'search.index': ['member.*'],
  /** Notification: what members do after searches that are recorded. */
  'search.usage': ['pair.viewed', 'pair.liked', 'pair.mutual', 'message.sent'],
  /** Notification: sends live updates to open sockets. */
  'updates.live': [
    'pair.*',
    'counters.*',
    'message.*',
    'photo.*',
    'moderation.*',
    'membership.*',
    'account.*',
    'search.*',
    'presence.*',
    'member.deactivated',
    'member.suspended',
    'member.deleted',
  ],
  /** Notification: sends push messages to devices; `updates.live` forwards events that no socket received. */
  'updates.push': [],
  /** State: memberships that the member record shows. */
  'profile.memberships': ['membership.*'],
} as const satisfies Record<string, readonly (`${string}.*` | EventType)[]>;

/** A queue of the topology. */
export type QueueName = keyof typeof queues;

/** The service that consumes a queue, after which the queue is named. */
export const serviceOf = (queue: string): string => queue.split('.')[0] ?? '';

/** Every queue's name. */
export const queueNames = Object.keys(queues) as readonly QueueName[];

/** Deliveries of one message before the broker dead-letters it, e.g. because its consumer crashes. */
const deliveryLimit = 20;

/** Dead letters are read repeatedly; newer brokers would drop one after 20 deliveries. */
const deadDeliveryLimit = 1_000_000;

/**
 * Queues whose events are worthless after a while: what is too old or too much is dropped, also while nobody consumes. The broker would
 * move it to the dead letters of a queue that has any, so only consumers do for these.
 */
const bounded: Partial<Record<QueueName, object>> = {
  'search.usage': { 'x-message-ttl': 86_400_000, 'x-max-length': 1_000_000 },
};

/** Names on the broker; namespaces separate stacks that share it. */
export const exchangeOf = (namespace: string): string => `${namespace}.events`;
/** The exchange of dead letters. */
export const deadExchangeOf = (namespace: string): string => `${namespace}.dead`;
/** The exchange of `updates.push`: an account with rights on it only can reach no other queue. */
export const pushExchangeOf = (namespace: string): string => `${namespace}.push`;
/** A queue's name on the broker. */
export const queueOf = (namespace: string, queue: QueueName): string => `${namespace}.${queue}`;
/** The queue of a queue's dead letters, for `covalence events`. */
export const deadQueueOf = (namespace: string, queue: QueueName): string =>
  `${queueOf(namespace, queue)}.dead`;

/**
 * The key by which the exchange of dead letters hands one back to its queue. Like a dead letter itself, it begins with the name of the
 * queue, so an account that may publish dead letters of its own queues may replay those, and reaches no other queue.
 */
export const replayKeyOf = (namespace: string, queue: QueueName): string =>
  `${queueOf(namespace, queue)}.replay`;

/** Whether a process declares the topology or only checks it. */
export type Topology = 'declare' | 'check';

/** Rejects if the topology was not declared yet. Needs no permission. */
export async function checkTopology(channel: Channel, namespace: string): Promise<void> {
  await channel.checkExchange(exchangeOf(namespace));
  await channel.checkExchange(pushExchangeOf(namespace));
  for (const queue of queueNames) await channel.checkQueue(queueOf(namespace, queue));
}

/** Declares exchanges, quorum queues with their dead letters, and bindings; safe to repeat. */
export async function declareTopology(channel: Channel, namespace: string): Promise<void> {
  const exchange = exchangeOf(namespace);
  const dead = deadExchangeOf(namespace);
  await channel.assertExchange(exchange, 'topic', { durable: true });
  // The broker limits by user which keys may be published to a topic exchange, and to no other.
  await channel.assertExchange(dead, 'topic', { durable: true });
  await channel.assertExchange(pushExchangeOf(namespace), 'fanout', { durable: true });
  for (const queue of queueNames) {
    const name = queueOf(namespace, queue);
    const deadName = deadQueueOf(namespace, queue);
    await channel.assertQueue(name, {
      durable: true,
      arguments: {
        'x-queue-type': 'quorum',
        'x-delivery-limit': deliveryLimit,
        ...(bounded[queue] ?? { 'x-dead-letter-exchange': dead, 'x-dead-letter-routing-key': name }),
      },
    });
    await channel.assertQueue(deadName, {
      durable: true,
      arguments: { 'x-queue-type': 'quorum', 'x-delivery-limit': deadDeliveryLimit },
    });
    await channel.bindQueue(deadName, dead, name);
    await channel.bindQueue(name, dead, replayKeyOf(namespace, queue));
    for (const pattern of queues[queue]) await channel.bindQueue(name, exchange, pattern);
  }
  await channel.bindQueue(queueOf(namespace, 'updates.push'), pushExchangeOf(namespace), '');
}

async function withDeclared(
  url: string,
  namespace: string,
  work: (channel: Channel) => Promise<void>,
): Promise<void> {
  const connection = await connectOnce(url);
  try {
    const channel = await connection.createChannel();
    channel.on('error', () => undefined);
    await declareTopology(channel, namespace);
    await work(channel);
    await channel.close();
  } finally {
    await connection.close().catch(() => undefined);
  }
}

/** Declares the topology of a namespace with an account that may configure it. Run it at every upgrade. */
export const declareTopologyAt = (url: string, namespace: string): Promise<void> =>
  withDeclared(url, namespace, async () => {});

/** The queues that somebody consumes. */
export async function consumedQueuesAt(url: string, namespace: string): Promise<string[]> {
  const consumed: string[] = [];
  await withDeclared(url, namespace, async (channel) => {
    for (const queue of queueNames) {
      const { consumerCount } = await channel.checkQueue(queueOf(namespace, queue));
      if (consumerCount) consumed.push(queue);
    }
  });
  return consumed;
}

/** Deletes every event and dead letter. */
export const purgeQueuesAt = (url: string, namespace: string): Promise<void> =>
  withDeclared(url, namespace, async (channel) => {
    for (const queue of queueNames) {
      await channel.purgeQueue(queueOf(namespace, queue));
      await channel.purgeQueue(deadQueueOf(namespace, queue));
    }
  });
