import { testServiceKeys } from '@covalence/testing/service-tokens';
import { closeCodes, updateSchema, type LiveUpdate } from '@covalence/contract/live-updates';
import type { EventOf, EventType } from '@covalence/contract/events';
import { connectBroker } from '@covalence/events/broker';
import { newEvent } from '@covalence/events/new-event';
import { createPublisher } from '@covalence/events/publisher';
import { createHealth } from '@covalence/runtime/health';
import { listen } from '@covalence/runtime/lifecycle';
import { createMetrics } from '@covalence/runtime/metrics';
import { testLogger } from '@covalence/testing/test-logger';
import { testNamespace, testStores } from '@covalence/testing/test-stores';
import type { TestTokens } from '@covalence/testing/test-tokens';
import { until } from '@covalence/testing/until';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { createApp } from '../src/app.ts';
import { startBackground } from '../src/background.ts';
import { configSchema } from '../src/config.ts';
import { createContext, type Context, type Overrides } from '../src/context.ts';

/** One process of the service; several run in one test. */
export interface ServiceUnderTest {
  readonly url: string;
  readonly context: Context;
  goAway(): Promise<void>;
  close(): Promise<void>;
}

/** Options of one process of a suite. */
interface ServiceOptions {
  readonly tokens: TestTokens;
  /** Processes of one namespace work together. */
  readonly namespace?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly overrides?: Overrides;
}

/** Starts a process of the service. */
export async function startService(
  suite: string,
  { tokens, namespace = testNamespace(suite), environment = {}, overrides = {} }: ServiceOptions,
): Promise<ServiceUnderTest> {
  const { REDIS_URL, RABBITMQ_URL } = testStores();
  const config = configSchema.parse({
    PORT: '0',
    MANAGEMENT_PORT: '0',
    NAMESPACE: namespace,
    PUBLIC_URL: 'http://api.test',
    AUTH_URL: 'http://auth.test',
    PROFILE_URL: 'http://profile.test',
    ...testServiceKeys('updates'),
    REDIS_URL,
    RABBITMQ_URL,
    // Suites check presence themselves.
    PRESENCE_EVERY_MS: '600000',
    ...environment,
  });
  const context = createContext(config, { bearer: tokens.bearer, logger: testLogger, ...overrides });
  const app = createApp(context, { checkOutput: true });
  const background = startBackground(context);
  const port = await listen(app.server, 0, '127.0.0.1');
  await until('redis', async () => (await context.health.report()).ready);
  return {
    url: `http://127.0.0.1:${port}`,
    context,
    goAway: () => app.goAway(),
    async close() {
      const closed = once(app.server, 'close');
      app.server.close();
      await app.goAway();
      await closed;
      await background.close();
      await context.close();
    },
  };
}

/** Publishes events as the profile service does. */
export interface TestPublisher {
  /** Publishes an action of `actor` on `other`; returns the event's id. */
  publish(
    type: EventType,
    actor: number,
    other: number,
    facts?: { traceparent?: string; at?: string },
  ): Promise<string>;
  /** Publishes an event a second time. */
  again(id: string, type: EventType, actor: number, other: number): Promise<void>;
  /** Publishes that `actor` wrote to `other`; returns the message's id. */
  message(actor: number, other: number): Promise<string>;
  deactivated(member: number, facts?: { at?: string }): Promise<void>;
  /** Publishes that a photo of a member was approved. */
  photoApproved(member: number, photo: number): Promise<void>;
  suspended(member: number, facts?: { at?: string }): Promise<void>;
  /** Publishes that the member's presence may be shown differently. */
  presenceChanged(member: number): Promise<void>;
  /** Publishes a member's new membership. */
  membership(member: number, data: EventOf<'membership.changed'>['data']): Promise<void>;
  /** Publishes a member's counters. */
  counters(member: number, data: EventOf<'counters.changed'>['data']): Promise<void>;
  /** Publishes that something happened to a member's account. */
  alerted(member: number, data: EventOf<'account.alerted'>['data']): Promise<void>;
  /** Publishes that a member newly fits a saved search. */
  matched(searcher: number, fitting: number, search: string): Promise<void>;
  /** Publishes a decision of Customer Service. */
  decided(member: number, data: EventOf<'moderation.decided'>['data']): Promise<void>;
  close(): Promise<void>;
}

const eventOf = (type: EventType, member: number, other?: number) =>
  newEvent({ type, member, version: 1, data: other === undefined ? {} : { other }, at: new Date() });

/** Connects to the run's broker. */
export async function startPublisher(namespace: string): Promise<TestPublisher> {
  const broker = connectBroker({
    url: testStores().RABBITMQ_URL,
    namespace,
    logger: testLogger,
    health: createHealth(),
  });
  const publisher = createPublisher(broker, createMetrics('test'));
  await until('rabbitmq', () => broker.manager.isConnected());
  return {
    async publish(type, actor, other, facts = {}) {
      const event = { ...eventOf(type, actor, other), ...facts };
      await publisher.publish(event);
      return event.id;
    },
    again: (id, type, actor, other) => publisher.publish({ ...eventOf(type, actor, other), id }),
    async message(actor, other) {
      const message = randomUUID();
      const facts = { type: 'message.sent', member: actor, version: 1, at: new Date() } as const;
      await publisher.publish(newEvent({ ...facts, data: { other, message } }));
      return message;
    },
    deactivated: (member, facts = {}) =>
      publisher.publish({ ...eventOf('member.deactivated', member), ...facts }),
    photoApproved: (member, photo) =>
      publisher.publish(
        newEvent({
          type: 'photo.changed',
          member,
          version: 1,
          data: { photo, status: 'approved', primary: true },
          at: new Date(),
        }),
      ),
    suspended: (member, facts = {}) =>
      publisher.publish({ ...eventOf('member.suspended', member), ...facts }),
    presenceChanged: (member) => publisher.publish(eventOf('presence.changed', member)),
    membership: (member, data) =>
      publisher.publish(newEvent({ type: 'membership.changed', member, version: 1, data, at: new Date() })),
    counters: (member, data) =>
      publisher.publish(newEvent({ type: 'counters.changed', member, version: 1, data, at: new Date() })),
    alerted: (member, data) =>
      publisher.publish(newEvent({ type: 'account.alerted', member, version: 1, data, at: new Date() })),
    matched: (member, other, search) =>
      publisher.publish(
        newEvent({ type: 'search.matched', member, version: 1, data: { other, search }, at: new Date() }),
      ),
    decided: (member, data) =>
      publisher.publish(newEvent({ type: 'moderation.decided', member, version: 1, data, at: new Date() })),
    async close() {
      await publisher.close();
      await broker.close();
    },
  };
}

/** A frame of any type; received frames are checked against the contract. */
export interface TestFrame extends Pick<LiveUpdate, 'id' | 'type' | 'at'> {
  readonly data: Readonly<Record<string, unknown>>;
}

/** A client's socket with the frames that it received. */
export interface TestClient {
  readonly socket: WebSocket;
  readonly frames: TestFrame[];
  send(message: string | object): void;
  /** Resolves with the frames of a type when there are `count`. */
  waitFor(type: LiveUpdate['type'], count?: number): Promise<TestFrame[]>;
  /** The code that the socket is closed with. */
  readonly closed: Promise<number>;
}

/** Connects without sending anything. */
export async function connectClient(
  url: string,
  headers: Record<string, string> = {},
  onFrame: (frame: TestFrame) => void = () => {},
): Promise<TestClient> {
  const socket = new WebSocket(new URL('/ws/updates', url.replace('http', 'ws')), { headers });
  const frames: TestFrame[] = [];
  socket.on('message', (data: Buffer) => {
    const frame = updateSchema.parse(JSON.parse(data.toString('utf8')));
    frames.push(frame);
    onFrame(frame);
  });
  let ended: number | undefined;
  const closed = once(socket, 'close').then(([code]) => (ended = Number(code)));
  // The caller learns of a refused connection below.
  closed.catch(() => undefined);
  await once(socket, 'open');
  return {
    socket,
    frames,
    closed,
    send: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    waitFor: (type, count = 1) =>
      until(`${count} ${type}`, () => {
        const found = frames.filter((one) => one.type === type);
        if (found.length < count && ended !== undefined) throw new Error(`closed with ${ended}`);
        return found.length >= count && found;
      }),
  };
}

/** A bare access token. */
export async function tokenOf(tokens: TestTokens, id: number, options: object = {}): Promise<string> {
  return (await tokens.authorization({ id, ...options })).replace('Bearer ', '');
}

/**
 * Connects as a member and waits for `ready`; `after` resumes without waiting for it. Retries on 1013: on a busy machine, calls to
 * Redis can exceed their time limit of 3 s.
 */
export async function connectMember(
  process: ServiceUnderTest,
  tokens: TestTokens,
  id: number,
  after?: string,
): Promise<TestClient> {
  const token = await tokenOf(tokens, id);
  for (;;) {
    const client = await connectClient(process.url);
    client.send(token);
    if (after !== undefined) client.send({ type: 'resume', after });
    const ready = client.waitFor('ready').then(() => true);
    const isReady = await Promise.race([ready, client.closed.then((code) => code !== closeCodes.tryAgain)]);
    if (isReady) {
      await ready;
      return client;
    }
    ready.catch(() => undefined);
  }
}
