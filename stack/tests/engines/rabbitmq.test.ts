import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { connect, type ChannelModel, type ConfirmChannel, type GetMessage } from 'amqplib';
import type { Engine, EngineKind } from '../../src/engines/engine.ts';
import { startEngine } from '../../src/engines/engines.ts';
import { readRecord } from '../../src/engines/engine-record.ts';
import { isFree } from '../../src/engines/free-ports.ts';
import { startLocalEngine } from '../../src/engines/local-engine.ts';
import { rabbitmqClusterKind, rabbitmqEngine } from '../../src/engines/rabbitmq-engine.ts';
import { isOpenToOthers, removeFolder, testOptions } from './test-folder.ts';

const options = testOptions();
const neighborOptions = testOptions();
let engine: Engine;
let neighbor: Engine;
let connection: ChannelModel;
let channel: ConfirmChannel;

/** A node with another name, as the nodes of a cluster have. */
const findStranger: EngineKind['find'] = async (given) => {
  const launcher = await rabbitmqEngine.find(given);
  return async (place, all) => {
    const launch = await launcher(place, all);
    return { ...launch, environment: { ...launch.environment, RABBITMQ_NODENAME: 'stranger@localhost' } };
  };
};

beforeAll(async () => {
  [engine, neighbor] = await Promise.all([
    startEngine('rabbitmq', options),
    startLocalEngine({ ...rabbitmqEngine, find: findStranger }, neighborOptions),
  ]);
  await open();
});

afterAll(async () => {
  await connection.close().catch(() => undefined);
  await Promise.all([engine.stop(), neighbor.stop()]);
  removeFolder(options);
  removeFolder(neighborOptions);
});

async function open(): Promise<void> {
  connection = await connect(engine.url);
  connection.on('error', () => undefined);
  channel = await connection.createConfirmChannel();
}

async function declareQueues(): Promise<void> {
  await channel.assertQueue('dead', { durable: true, arguments: { 'x-queue-type': 'quorum' } });
  await channel.assertQueue('work', {
    durable: true,
    arguments: {
      'x-queue-type': 'quorum',
      'x-delivery-limit': 2,
      'x-dead-letter-exchange': '',
      'x-dead-letter-routing-key': 'dead',
    },
  });
}

async function send(queue: string, text: string): Promise<void> {
  channel.sendToQueue(queue, Buffer.from(text), { persistent: true });
  await channel.waitForConfirms();
}

const take = (queue: string): Promise<GetMessage> => until(`a message in ${queue}`, () => channel.get(queue));

describe('the private RabbitMQ node', () => {
  it('dead-letters from a quorum queue after the delivery limit', async () => {
    await declareQueues();
    await send('work', 'poison');
    for (let delivery = 0; delivery <= 2; delivery++) channel.nack(await take('work'), false, true);
    const dead = await take('dead');
    expect(dead.content.toString()).toBe('poison');
    expect(dead.properties.headers).toMatchObject({
      'x-first-death-queue': 'work',
      'x-first-death-reason': 'delivery_limit',
    });
    channel.ack(dead);
  });

  it('does not share queues with another node', async () => {
    expect(neighbor.url).not.toBe(engine.url);
    const other = await connect(neighbor.url);
    const otherChannel = await other.createChannel();
    otherChannel.on('error', () => undefined);
    await expect(otherChannel.checkQueue('work')).rejects.toMatchObject({ code: 404 });
    await other.close();
  });

  it('is no cluster with a node that did not find it', async () => {
    await expect(rabbitmqClusterKind.join?.([engine, neighbor], [])).rejects.toThrow(
      /^The nodes of RabbitMQ did not find each other \(covalence@\S+, stranger@\S+\): add --reset$/,
    );
    await expect(rabbitmqClusterKind.join?.([engine], [])).resolves.toBe(engine.url);
  });

  it('rejects the default password and that of another node', async () => {
    const { host } = new URL(engine.url);
    const { password } = new URL(neighbor.url);
    for (const wrong of ['guest', password])
      await expect(connect(`amqp://guest:${wrong}@${host}`)).rejects.toThrow(/ACCESS_REFUSED|403/);
    const folder = join(options.dataDir, 'rabbitmq');
    const modes = ['password.json', 'definitions.json'].map(
      (name) => statSync(join(folder, name)).mode & 0o077,
    );
    expect(modes).toEqual([0, 0]);
    expect(await isOpenToOthers(engine.url)).toBe(false);
  });

  it('keeps queues and confirmed messages across a restart and SIGKILL, on the same port', async () => {
    const before = engine.url;
    await send('work', 'kept');
    // A clean restart first: RabbitMQ 3.10 loses a quorum queue declared in the second before SIGKILL.
    await engine.restart();
    await open();
    channel.nack(await take('work'), false, true);
    await send('work', 'kept too');
    engine.kill('SIGKILL');
    await expect(engine.exited).resolves.toContain('SIGKILL');
    await engine.restart();
    expect(engine.url).toBe(before);
    await open();
    const kept = [await take('work'), await take('work')];
    expect(kept.map((message) => message.content.toString()).sort()).toEqual(['kept', 'kept too']);
  });

  it('restarts after the port of its mapper becomes free', async () => {
    engine.kill('SIGKILL');
    await engine.exited;
    const { mapper = 0 } = readRecord(join(options.dataDir, 'rabbitmq')).ports;
    await until('the killed mapper releases its port', () => isFree(mapper));
    let connections = 0;
    const holder = createServer((socket) => {
      socket.destroy();
      connections += 1;
      if (connections === 2) holder.close();
    });
    await once(holder.listen(mapper, '127.0.0.1'), 'listening');
    await engine.restart();
    await open();
    expect(connections).toBe(2);
  });
});
