import type { Event } from '@covalence/contract/events';
import { createConsumer } from '@covalence/events/consumer';
import { createLease } from '@covalence/events/lease';
import {
  deadExchangeOf,
  deadQueueOf,
  exchangeOf,
  pushExchangeOf,
  queueOf,
  queueNames,
  type QueueName,
} from '@covalence/events/topology';
import { gazetteer } from '@covalence/geography/gazetteer';
import { mongoReady } from '@covalence/runtime/mongo';
import { admittedAuthorization, testServiceKeys } from '@covalence/testing/service-tokens';
import { checkShardKeys } from '@covalence/testing/shard-keys';
import { testLogger } from '@covalence/testing/test-logger';
import { testNamespace, testStores } from '@covalence/testing/test-stores';
import { createTestTokens } from '@covalence/testing/test-tokens';
import { until } from '@covalence/testing/until';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import request from 'supertest';
import { v7 } from 'uuid';
import { createApp } from '../src/app.ts';
import { startBackground } from '../src/background.ts';
import { configSchema } from '../src/config.ts';
import { createContext, type Context, type Overrides } from '../src/context.ts';
import { sharding } from '../src/sharding.ts';
import { startFakeAuth, testClient, type FakeAuth } from './support/fake-auth.ts';

/** A member that a suite registered, and calls in their name. */
export interface TestMember {
  readonly id: number;
  readonly memberId: string;
  readonly username: string;
  post(path: string, body?: object): request.Test;
  get(path: string): request.Test;
  /** A text is a form. */
  patch(path: string, body?: object | string): request.Test;
  delete(path: string): request.Test;
  /** POST /photo with an image and further fields. */
  upload(image: Buffer, name?: string, fields?: Readonly<Record<string, string>>): request.Test;
}

/** A staff account, and calls in its name. */
export type TestStaff = Pick<TestMember, 'memberId' | 'post' | 'get' | 'delete'>;

/** The service of one suite: its application on real engines, beside an auth service of its own. */
export interface ServiceUnderTest {
  readonly app: ReturnType<typeof createApp>;
  readonly context: Context;
  readonly auth: FakeAuth;
  readonly photoDir: string;
  /** Moves the service's clock. */
  advance(ms: number): void;
  register(fields?: object): Promise<TestMember>;
  /** POST /members as it is, for refusals. */
  tryRegister(fields: object): request.Test;
  internal(path: string, body: object): request.Test;
  /** A member who signed in so many seconds ago; null is a token that does not tell. */
  caller(id: number, memberId: string, username: string, signedInAgo?: number | null): Promise<TestMember>;
  /** With the roles, by default `admin` everywhere. */
  staff(roles?: Readonly<Record<string, readonly string[]>>): Promise<TestStaff>;
  /** Events of a queue, gathered from now on. */
  gather(queue: QueueName): Event[];
  close(): Promise<void>;
}

let counter = 0;

/** A complete, valid registration with a username of its own. */
export function registration(fields: object = {}): Record<string, unknown> {
  counter += 1;
  return {
    ...testClient,
    siteid: 1,
    gender: 'Male',
    genderpreference: 'Female',
    dateofbirth: '05/17/1990',
    username: `Member${counter}x${process.pid}`,
    password: 'correct horse battery',
    email: `member${counter}@example.org`,
    country: 'US',
    city: 'Austin',
    state: 'Texas',
    zip: '78701',
    ...fields,
  };
}

/** The suite's own queues and exchanges; a broker keeps quorum queues for ever otherwise. */
async function deleteTopology({ broker }: Context): Promise<void> {
  const { namespace } = broker;
  const channel = broker.openChannel({
    setup: async (raw) => {
      for (const queue of queueNames) {
        await raw.deleteQueue(queueOf(namespace, queue));
        await raw.deleteQueue(deadQueueOf(namespace, queue));
      }
      await raw.deleteExchange(exchangeOf(namespace));
      await raw.deleteExchange(deadExchangeOf(namespace));
      await raw.deleteExchange(pushExchangeOf(namespace));
    },
  });
  await channel.waitForConnect();
  await channel.close();
}

/** Options of the service of a suite. */
interface ServiceOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly overrides?: Overrides;
}

/** Starts the service for a suite, beside an auth service of its own. */
export async function startService(
  suite: string,
  { environment = {}, overrides = {} }: ServiceOptions = {},
): Promise<ServiceUnderTest> {
  const { MONGODB_URL, REDIS_URL, RABBITMQ_URL } = testStores();
  const auth = await startFakeAuth();
  const photoDir = await mkdtemp(join(tmpdir(), 'photos-'));
  const tokens = await createTestTokens();
  let ahead = 0;
  const config = configSchema.parse({
    PORT: '0',
    MANAGEMENT_PORT: '0',
    NAMESPACE: testNamespace(suite),
    ...testServiceKeys('profile'),
    POSITION_SECRET: 'a-position-secret-for-the-tests-only',
    SITES_FILE: join(import.meta.dirname, 'support/sites.json'),
    PUBLIC_URL: 'http://api.test',
    AUTH_URL: auth.url,
    BILLING_URL: auth.url,
    SEARCH_URL: auth.url,
    UPDATES_URL: auth.url,
    MONGODB_URL,
    REDIS_URL,
    RABBITMQ_URL,
    PHOTO_DIR: photoDir,
    REGISTRATIONS_PER_HOUR: '1000000',
    TAKEN_NAMES_PER_HOUR: '1000000',
    USERNAMES_PER_HOUR: '1000000',
    ...environment,
  });
  const context = createContext(config, {
    bearer: tokens.bearer,
    clock: () => new Date(Date.now() + ahead),
    logger: testLogger,
    ...overrides,
  });
  // As main.ts does: no registration waits for it.
  gazetteer();
  checkShardKeys(context.connection, sharding);
  await mongoReady(context.connection);
  // The first calls would wait for the indexes of an empty database otherwise.
  await Promise.all(Object.values(context.connection.models).map((model) => model.init()));
  await until('redis', () => context.redis.status === 'ready');
  await until('rabbitmq', () => context.broker.manager.isConnected());
  const app = createApp(context, { checkOutput: true });
  // Tests mail decisions themselves: with the job beside them, a mail could come twice.
  await createLease(context.connection, 'decisions-told', 3_600_000).hold();
  const background = startBackground(context);
  const consumers: { close(): Promise<void> }[] = [];

  const calls = (header: string): Pick<TestMember, 'post' | 'get' | 'patch' | 'delete' | 'upload'> => ({
    post: (path, body = {}) => request(app).post(path).set('Authorization', header).send(body),
    get: (path) => request(app).get(path).set('Authorization', header),
    patch: (path, body = {}) => request(app).patch(path).set('Authorization', header).send(body),
    delete: (path) => request(app).delete(path).set('Authorization', header),
    upload: (image, name = 'photo.jpg', fields = {}) =>
      request(app).post('/photo').set('Authorization', header).field(fields).attach('image', image, name),
  });
  const caller: ServiceUnderTest['caller'] = async (id, memberId, username, signedInAgo = 0) => ({
    id,
    memberId,
    username,
    ...calls(await tokens.authorization({ id, memberId, signedInAgo })),
  });

  return {
    app,
    context,
    auth,
    photoDir,
    advance: (ms) => void (ahead += ms),
    tryRegister: (fields) => request(app).post('/members').send(registration(fields)),
    async register(fields = {}) {
      const { body, status } = await request(app).post('/members').send(registration(fields));
      if (status !== 200) throw new Error(`registration answered ${status} ${JSON.stringify(body)}`);
      return caller(body.id, body.member_id, body.username);
    },
    internal: (path, body) =>
      request(app).post(path).set('Authorization', admittedAuthorization('profile', path)).send(body),
    caller,
    async staff(roles) {
      const memberId = v7();
      const caller = { id: 0, memberId, scope: 'staff', ...(roles && { roles }) };
      auth.staff.set(memberId, roles ?? { '*': ['admin'] });
      return { memberId, ...calls(await tokens.authorization(caller)) };
    },
    gather(queue) {
      const gathered: Event[] = [];
      const { broker, logger, metrics } = context;
      const handle = (events: Event[]) => Promise.resolve(void gathered.push(...events));
      consumers.push(
        createConsumer(broker, { queue, handle, batch: { size: 50, waitMs: 0 }, logger, metrics }),
      );
      return gathered;
    },
    async close() {
      await Promise.all(consumers.map((consumer) => consumer.close()));
      await background.close();
      await deleteTopology(context);
      await context.connection.dropDatabase();
      await context.close();
      await auth.close();
      await rm(photoDir, { recursive: true });
    },
  };
}
