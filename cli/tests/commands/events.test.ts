import { connectBroker } from '@covalence/events/broker';
import {
  deadExchangeOf,
  deadQueueOf,
  declareTopologyAt,
  exchangeOf,
  pushExchangeOf,
  queueNames,
  queueOf,
} from '@covalence/events/topology';
import { createLogger } from '@covalence/runtime/logger';
import { newServiceSecret } from '@covalence/runtime/service-keys';
import { listenLocally } from '@covalence/testing/listen-locally';
import { testNamespace, testStores } from '@covalence/testing/test-stores';
import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { v7 } from 'uuid';
import { recordCommand } from '../../src/commands/record-command.ts';
import { runCommand } from '../run-command.ts';

const limitMs = 5_000;

describe('covalence events', () => {
  const { RABBITMQ_URL } = testStores();
  const namespace = testNamespace('cli-events');
  const dead = deadQueueOf(namespace, 'search.index');
  const broker = connectBroker({ url: RABBITMQ_URL, namespace, logger: createLogger('test', 'silent') });
  /** The requests to the audit log. */
  const recorded: [string | undefined, unknown][] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    recorded.push([request.url, JSON.parse(await text(request))]);
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  };
  const auth = createServer((request, response) => void answer(request, response));
  let url: string;
  beforeAll(async () => {
    await declareTopologyAt(RABBITMQ_URL, namespace);
    await until('connected', () => broker.manager.isConnected());
    url = `http://127.0.0.1:${await listenLocally(auth)}`;
  });
  afterAll(async () => {
    await broker.onChannel(limitMs, async (channel) => {
      for (const queue of queueNames) {
        await channel.deleteQueue(queueOf(namespace, queue));
        await channel.deleteQueue(deadQueueOf(namespace, queue));
      }
      for (const exchange of [exchangeOf, deadExchangeOf, pushExchangeOf])
        await channel.deleteExchange(exchange(namespace));
    });
    await broker.close();
    auth.close();
  });

  const waiting = () =>
    broker.onChannel(limitMs, async (channel) => (await channel.checkQueue(dead)).messageCount);
  const bury = async (messageId: string) => {
    await broker.onChannel(limitMs, async (channel) => {
      const routing = queueOf(namespace, 'search.index');
      channel.publish(deadExchangeOf(namespace), routing, Buffer.from('{}'), { persistent: true, messageId });
      await channel.waitForConfirms();
    });
    await until('it is dead', async () => (await waiting()) === 1);
  };
  const events = (args: readonly string[], more: Record<string, string> = {}) =>
    runCommand(['events', ...args], { NAMESPACE: namespace, RABBITMQ_URL, MONGODB_URL: '', ...more });

  it('replays and drops what the audit log of the system has, by the credential of operators', async () => {
    const id = v7();
    await bury(id);
    const reached = { AUTH_URL: url, OPERATOR_SECRET: newServiceSecret() };
    expect(await events(['drop', '--all', '--yes'])).toMatchObject({
      code: 1,
      problem: expect.stringMatching(/^AUTH_URL is not set: /),
    });
    const nowhere = { ...reached, AUTH_URL: 'http://127.0.0.1:9' };
    expect(await events(['replay', id, '--yes'], nowhere)).toMatchObject({
      code: 1,
      problem: expect.stringContaining('does not answer'),
    });
    expect([await waiting(), recorded]).toEqual([1, []]);
    expect(await events(['drop', id, '--yes'], reached)).toEqual({
      code: 0,
      out: 'search.index: 1 dropped',
      problem: '',
    });
    const call = 'DELETE /staff/operations/dead-letters/:queue/:letterid';
    expect(recorded).toEqual([['/internal/audit/commands', { call, about: ['search.index', id] }]]);
    expect(await waiting()).toBe(0);
  });

  it('records nothing in another system for the letters of the local stack', async () => {
    const environment = { AUTH_URL: url, OPERATOR_SECRET: newServiceSecret() };
    const context = { environment, dataFolder: () => '/nowhere', workingFolder: '/' };
    const before = recorded.length;
    await expect(recordCommand(context, 'DELETE /staff', [])).rejects.toThrow('no local stack in /nowhere');
    expect(recorded).toHaveLength(before);
  });
});
