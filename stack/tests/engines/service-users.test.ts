import { declareTopologyAt } from '@covalence/events/topology';
import {
  deadExchangeOf,
  deadQueueOf,
  exchangeOf,
  pushExchangeOf,
  queueNames,
  queueOf,
  replayKeyOf,
  type QueueName,
} from '@covalence/events/topology';
import { testNamespace, testStores } from '@covalence/testing/test-stores';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, type ChannelModel, type ConfirmChannel } from 'amqplib';
import { Redis } from 'ioredis';
import type { Engine } from '../../src/engines/engine.ts';
import { startEngine } from '../../src/engines/engines.ts';
import { addressFor } from '../../src/engines/service-users.ts';
import { removeFolder, testOptions } from './test-folder.ts';

const { RABBITMQ_URL } = testStores();

describe('the users of services in Redis', () => {
  const namespace = testNamespace('users');
  const options = testOptions();
  let engine: Engine;
  // An engine of its own: the one that suites share counts what users were refused.
  beforeAll(async () => {
    engine = await startEngine('redis', options);
  });
  afterAll(async () => {
    await engine.stop();
    removeFolder(options);
  });
  const key = (name: string) => `${namespace}:${name}`;

  /** The response of Redis to a user: 'allowed', or 'refused' where the user lacks the permission. */
  async function answerTo(user: string, command: readonly [string, ...string[]]): Promise<string> {
    const redis = new Redis(addressFor(user, engine.url), { lazyConnect: true });
    try {
      await redis.connect();
      await redis.call(...command);
      return 'allowed';
    } catch (error) {
      if (/NOPERM/.test(String(error))) return 'refused';
      throw error;
    } finally {
      redis.disconnect();
    }
  }

  it.each<[string, readonly [string, ...string[]]]>([
    ['gateway', ['GET', key('ended:family:1')]],
    ['gateway', ['ZADD', key('seen'), '1', '1']],
    ['auth', ['SET', key('ended:family:1'), '1', 'PX', '1']],
    ['auth', ['PUBLISH', key('live:{1}'), 'x']],
    ['profile', ['SET', key('deactivated:1'), '1', 'PX', '1']],
    ['updates', ['XRANGE', key('live:{1}:stream'), '-', '+']],
    ['updates', ['ZREM', key('{push}:hosts'), 'x']],
  ])('%s may %j', async (user, command) => {
    expect(await answerTo(user, command)).toBe('allowed');
  });

  it.each<[string, readonly [string, ...string[]]]>([
    // A gateway that was taken over lets nobody back in, and reads no session.
    ['gateway', ['SET', key('ended:family:1'), '']],
    ['gateway', ['GET', key('deactivated-complete')]],
    ['gateway', ['GET', key('auth:Session:1')]],
    ['auth', ['SET', key('deactivated:1'), '']],
    ['auth', ['XRANGE', key('live:{1}:stream'), '-', '+']],
    ['profile', ['GET', key('auth:Session:1')]],
    ['profile', ['PUBLISH', key('live:{1}'), 'x']],
    ['updates', ['SET', key('ended:family:1'), '']],
    ['updates', ['HGETALL', key('auth:Session:1')]],
    ...['gateway', 'auth', 'profile', 'updates'].flatMap(
      (user): [string, readonly [string, ...string[]]][] => [
        [user, ['KEYS', '*']],
        [user, ['SCAN', '0']],
        [user, ['FLUSHALL']],
        [user, ['CONFIG', 'GET', 'requirepass']],
        [user, ['ACL', 'LIST']],
        [user, ['MONITOR']],
        [user, ['CLIENT', 'LIST']],
        [user, ['CLIENT', 'KILL', 'TYPE', 'normal']],
        [user, ['CLIENT', 'PAUSE', '1']],
      ],
    ),
  ])('%s may not %j', async (user, command) => {
    expect(await answerTo(user, command)).toBe('refused');
  });
});

/** 'allowed', or 'refused' where the broker closes the channel because the user lacks the permission. */
async function brokerAnswerTo(
  user: string,
  act: (channel: ConfirmChannel) => Promise<unknown>,
): Promise<string> {
  const connection = await connect(addressFor(user, RABBITMQ_URL));
  const channel = await connection.createConfirmChannel();
  const refused = new Promise<string>((resolve, reject) => {
    channel.on('error', (error: Error) =>
      /ACCESS_REFUSED/.test(error.message) ? resolve('refused') : reject(error),
    );
  });
  try {
    const allowed = act(channel).then(() => 'allowed');
    return await Promise.race([refused, allowed.catch(() => refused)]);
  } finally {
    await connection.close();
  }
}
const publishing = (to: string, key: string) => async (channel: ConfirmChannel) => {
  channel.publish(to, key, Buffer.from('{}'));
  await channel.waitForConfirms();
};

describe('the users of services in RabbitMQ', () => {
  // The name of the exchange decides which events a service may publish.
  const namespace = 'covalence';
  const exchange = exchangeOf(namespace);
  let operator: ChannelModel;

  beforeAll(async () => {
    await declareTopologyAt(RABBITMQ_URL, namespace);
    operator = await connect(RABBITMQ_URL);
  });
  afterAll(async () => {
    const channel = await operator.createChannel();
    for (const queue of queueNames) {
      await channel.deleteQueue(queueOf(namespace, queue));
      await channel.deleteQueue(deadQueueOf(namespace, queue));
    }
    for (const name of [exchange, deadExchangeOf(namespace), pushExchangeOf(namespace)]) {
      await channel.deleteExchange(name);
    }
    await operator.close();
  });

  const dead = (queue: QueueName) => publishing(deadExchangeOf(namespace), queueOf(namespace, queue));
  const replaying = (queue: QueueName) =>
    publishing(deadExchangeOf(namespace), replayKeyOf(namespace, queue));
  const readingDead = (queue: QueueName) => async (channel: ConfirmChannel) => {
    await channel.get(deadQueueOf(namespace, queue));
  };
  const taking = (queue: QueueName) => async (channel: ConfirmChannel) => {
    const { consumerTag } = await channel.consume(queueOf(namespace, queue), () => undefined);
    await channel.cancel(consumerTag);
  };

  it.each([
    ['profile', 'publish events of members', publishing(exchange, 'member.updated')],
    ['profile', 'publish its own dead letters', dead('profile.memberships')],
    ['updates', 'publish its own dead letters', dead('updates.live')],
    ['search', 'read its own dead letters', readingDead('search.usage')],
    ['updates', 'replay its own dead letters', replaying('updates.push')],
    ['profile', 'take changes of memberships', taking('profile.memberships')],
    ['billing', 'publish events of memberships', publishing(exchange, 'membership.changed')],
    ['search', 'take events for the index', taking('search.index')],
    ['updates', 'take events for sockets', taking('updates.live')],
    ['updates', 'hand events on to push', publishing(pushExchangeOf(namespace), 'pair.liked')],
  ])('%s may %s', async (user, _what, act) => {
    expect(await brokerAnswerTo(user, act)).toBe('allowed');
  });

  it.each([
    ['billing', 'publish events of members', publishing(exchange, 'member.updated')],
    ['profile', 'publish events of memberships', publishing(exchange, 'membership.changed')],
    ['search', 'publish events', publishing(exchange, 'member.updated')],
    ['updates', 'publish events', publishing(exchange, 'pair.liked')],
    ['billing', 'put a message into a queue', publishing('', queueOf(namespace, 'search.index'))],
    [
      'updates',
      'put a membership into the queue of profile',
      publishing('', queueOf(namespace, 'profile.memberships')),
    ],
    ['search', 'publish dead letters of profile, which a replay would apply', dead('profile.memberships')],
    ['updates', 'publish dead letters of search', dead('search.index')],
    ['updates', 'replay dead letters of profile', replaying('profile.memberships')],
    ['profile', 'read dead letters of updates', readingDead('updates.live')],
    ['billing', 'read dead letters of profile', readingDead('profile.memberships')],
    ['search', 'hand events on to push', publishing(pushExchangeOf(namespace), 'pair.liked')],
    ['billing', 'take events of others', taking('search.index')],
    ['search', 'take events for sockets', taking('updates.live')],
    ...['profile', 'search', 'billing', 'updates'].flatMap(
      (user): [string, string, (channel: ConfirmChannel) => Promise<unknown>][] => [
        [user, 'declare a queue', (channel) => channel.assertQueue(`${namespace}.mine`)],
        [
          user,
          'bind a queue',
          (channel) => channel.bindQueue(queueOf(namespace, 'updates.push'), exchange, '#'),
        ],
        [user, 'delete a queue', (channel) => channel.deleteQueue(queueOf(namespace, 'search.index'))],
      ],
    ),
  ])('%s may not %s', async (user, _what, act) => {
    expect(await brokerAnswerTo(user, act)).toBe('refused');
  });
});
