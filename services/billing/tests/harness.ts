import type { Event } from '@covalence/contract/events';
import { notFound, tooManyRequests, unavailable } from '@covalence/contract/failure';
import type { InternalCaller } from '@covalence/contract/peers/callers';
import { parseSites } from '@covalence/contract/sites';
import { connectBroker } from '@covalence/events/broker';
import { createConsumer } from '@covalence/events/consumer';
import type { Peer } from '@covalence/http/peer';
import type { Background } from '@covalence/runtime/lifecycle';
import { createMetrics } from '@covalence/runtime/metrics';
import { mongoReady } from '@covalence/runtime/mongo';
import { allUp } from '@covalence/testing/all-up';
import {
  admittedAuthorization,
  serviceAuthorization,
  testPublicKeys,
  testServiceSecret,
} from '@covalence/testing/service-tokens';
import { checkShardKeys } from '@covalence/testing/shard-keys';
import { createTcpProxy } from '@covalence/testing/tcp-proxy';
import { testLogger } from '@covalence/testing/test-logger';
import { testNamespace, testStores } from '@covalence/testing/test-stores';
import { createTestTokens, type TestCaller } from '@covalence/testing/test-tokens';
import { until } from '@covalence/testing/until';
import { createHmac, randomUUID } from 'node:crypto';
import supertest from 'supertest';
import { createApp } from '../src/app.ts';
import { startBackground } from '../src/background.ts';
import type { Config } from '../src/config.ts';
import { createContext, type Overrides } from '../src/context.ts';
import { expireMemberships, resumePayments } from '../src/memberships/expire-memberships.ts';
import type { PaymentProvider } from '../src/payments/provider.ts';
import { sharding } from '../src/sharding.ts';
import { syncDue, syncMissed } from '../src/subscriptions/subscription-jobs.ts';
import { testData } from './fixtures.ts';

const site = { title: 'Test', url: 'https://site.test', group: 'test' };
/** The key of the provider's webhook signatures. */
const webhookSecret = 'a secret that the provider knows too';

/** The origin of the client application's pages. */
export const clientOrigin = 'https://app.example';

const sites = parseSites([
  { siteid: 1, ...site },
  { siteid: 3, ...site, locale: 'de_DE' },
  { siteid: 4, ...site, second_person: { refunds_above: { USD: 3000 } } },
]);

/** The signature header of a webhook. */
function signWebhook(secret: string, body: string, at: Date): string {
  const time = Math.floor(at.getTime() / 1000);
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`;
}

/** Stands for the provider where none is listed. */
const nobody: PaymentProvider = {
  name: 'nobody',
  charge: () => Promise.reject(new Error('nobody charges')),
  find: () => Promise.resolve(undefined),
  refund: () => Promise.resolve(undefined),
  forget: () => Promise.resolve(),
};

/** Options of the service of a suite. */
export interface ServiceOptions {
  readonly config?: Partial<Config>;
  /** The clock that tests move. */
  readonly clock?: { now: Date };
  readonly overrides?: Pick<Overrides, 'logger'>;
}

/** Starts the service for a suite. It sells by the sandbox provider unless `config` lists others. */
export async function startService(
  suite: string,
  { config: given, clock, overrides: { logger = testLogger } = {} }: ServiceOptions = {},
) {
  const { MONGODB_URL, RABBITMQ_URL } = testStores();
  const database = await createTcpProxy(MONGODB_URL);
  const events = await createTcpProxy(RABBITMQ_URL);
  const namespace = testNamespace(suite);
  const config: Config = {
    HOST: '127.0.0.1',
    PORT: 0,
    MANAGEMENT_PORT: 0,
    LOG_LEVEL: 'silent',
    OTEL_TRACES_SAMPLER_ARG: 1,
    NAMESPACE: namespace,
    SERVICE_SECRET: [testServiceSecret('billing')],
    SERVICE_PUBLIC_KEYS: testPublicKeys,
    SITES_FILE: sites,
    PUBLIC_URL: 'http://api.test',
    AUTH_URL: 'http://auth.test',
    PROFILE_URL: 'http://profile.test',
    MONGODB_URL: database.url,
    RABBITMQ_URL: events.url,
    RABBITMQ_TOPOLOGY: 'declare',
    PACKAGES_DIR: testData,
    PAYMENT_PROVIDERS: ['sandbox'],
    ALLOW_SANDBOX_PAYMENTS: false,
    PAYMENT_WEBHOOK_SECRET: webhookSecret,
    EXPIRY_POLL_MS: 100,
    APP_STORE_APPS: [],
    APP_STORE_ONLINE_CHECKS: false,
    STRIPE_AUTOMATIC_TAX: false,
    GOOGLE_PLAY_APPS: [],
    RECEIPT_POLICY: 'refuse',
    FAMILY_SHARING: false,
    ...given,
  };
  const time = clock ?? { now: new Date('2026-06-15T12:00:00Z') };
  const tokens = await createTestTokens();
  const metrics = createMetrics('test');
  /** The fake profile: received memberships, members' data, and whether it is unavailable. */
  const profile = {
    isAway: false,
    /** The number of reads of a member. */
    reads: 0,
    shown: [] as Parameters<Peer<'profile'>['takeMembership']>[0][],
    locales: new Map<number, string>(),
    countries: new Map<number, string>(),
    /** Site 1 by default. */
    sites: new Map<number, number>(),
    /** Members whom profile does not know. */
    unknown: new Set<number>(),
    /** Members whose data staff read, and whether they may read of more. */
    views: [] as number[],
    isLimited: false,
    /** Refunds that wait for a second person. */
    requests: [] as Parameters<Peer<'profile'>['requestRefund']>[0][],
  };
  /** The subjects of staff calls, as in the audit log. */
  const audited: string[] = [];
  const context = createContext(config, {
    bearer: tokens.bearer,
    profile: {
      takeMembership(taken) {
        if (profile.isAway) return Promise.reject(new Error('away'));
        profile.shown.push(taken);
        return Promise.resolve({});
      },
      memberLocale({ id }) {
        profile.reads += 1;
        if (profile.isAway) return Promise.reject(unavailable());
        if (profile.unknown.has(id)) return Promise.reject(notFound());
        return Promise.resolve({
          locale: profile.locales.get(id) ?? 'en_US',
          siteid: profile.sites.get(id) ?? 1,
          country: profile.countries.get(id) ?? 'US',
        });
      },
      countStaffView(view) {
        if (profile.isLimited) return Promise.reject(tooManyRequests(60));
        profile.views.push(view.member);
        return Promise.resolve({});
      },
      requestRefund(asked) {
        profile.requests.push(asked);
        return Promise.resolve({ approval_id: randomUUID(), expires_at: '2026-06-22T12:00:00.000Z' });
      },
    },
    auth: {
      checkReturns: ({ urls }) =>
        Promise.resolve({ allowed: urls.every((url) => new URL(url).origin === clientOrigin) }),
      recordStaffCall({ about }) {
        audited.push(about.join(' '));
        return Promise.resolve({});
      },
    },
    clock: () => time.now,
    logger,
    metrics,
    checkOutput: true,
  });
  const broker = connectBroker({ url: RABBITMQ_URL, namespace, logger });
  const told: Event[] = [];
  const consumer = createConsumer(broker, {
    queue: 'profile.memberships',
    handle: (events) => Promise.resolve(void told.push(...events)),
    batch: { size: 500, waitMs: 0 },
    logger,
    metrics,
  });
  checkShardKeys(context.connection, sharding);
  await mongoReady(context.connection);
  await until('the stores are there', () => allUp(context.health));
  const request = supertest(createApp(context));
  const provider = context.providers.current ?? nobody;
  const get = async (path: string, caller: TestCaller) =>
    request.get(path).set('Authorization', await tokens.authorization(caller));
  const own = async (id: number) => (await get('/memberships/self', { id })).body;
  let background: Background | undefined;

  return {
    context,
    /** Starts the background work. */
    start: () => (background = startBackground(context)),
    /** The provider of new purchases, which a test can replace. */
    provider,
    namespace,
    /** The ways to the stores, which a test can cut. */
    database,
    events,
    time,
    told,
    profile,
    audited,
    request,
    /** GET /packages as a member of site 1. */
    async packages(query: object = {}, caller: TestCaller = { id: 1 }) {
      return request
        .get('/packages')
        .query(query)
        .set('Authorization', await tokens.authorization(caller));
    },
    /** A POST as a member, under an Idempotency-Key where one is given. */
    async post(path: string, body: object, caller: TestCaller, key?: string) {
      return request
        .post(path)
        .set('Authorization', await tokens.authorization(caller))
        .set(key === undefined ? {} : { 'Idempotency-Key': key })
        .send(body);
    },
    get,
    /** The response to GET /memberships/self. */
    own,
    /** A member's view of the membership: status, renewal, day of the end and rate. */
    async seen(id: number) {
      const { membership_status, autorenew, expirationdate, package: sold } = await own(id);
      return [membership_status, autorenew, expirationdate?.slice(0, 10) ?? null, sold?.rate_id ?? null];
    },
    /** The bookings of a member, newest first. */
    async booked(id: number): Promise<[string, number][]> {
      const { history } = await own(id);
      return history.map(({ kind, amount }: { kind: string; amount: number }) => [kind, amount]);
    },
    /** A web-hook of the sandbox provider, signed as it should be unless said otherwise. */
    hook(key: string, { secret = webhookSecret, at = time.now, provider = 'sandbox', signs = key } = {}) {
      const [body, signed] = [key, signs].map((one) => JSON.stringify({ key: one }));
      return request
        .post(`/packages/webhook/${provider}`)
        .set('Content-Type', 'application/json')
        .set('X-Webhook-Signature', signWebhook(secret, signed ?? '', at))
        .send(body);
    },
    /** Does what the job does that asks for notifications that did not arrive: all of them, because a test moves the clock back. */
    async missed() {
      await context.connection.collection('store-rounds').deleteMany({});
      for (const store of context.stores.all) await syncMissed(store, context);
    },
    /** A notification of a store. */
    notify: (store: string, body: object) => request.post(`/packages/webhook/${store}`).send(body),
    /** The provider's records of a member: charges, and the amount it holds, in minor units. */
    async charged(member: number) {
      const charges = await context.connection.collection('sandbox-charges').find({ member }).toArray();
      const held = charges
        .filter(({ status }) => status === 'paid')
        .reduce((sum, { amount, refunded }) => sum + Number(amount) - Number(refunded), 0);
      return { charges, held };
    },
    /** Moves the clock and does what the job does at that moment. */
    async moveTo(when: string) {
      time.now = new Date(when);
      await resumePayments(context, time.now);
      await expireMemberships(context, time.now);
      for (const store of context.stores.all) await syncDue(store, context);
    },
    /** Does something as if at that moment. */
    async at<Result>(when: string, work: () => Promise<Result>): Promise<Result> {
      const before = time.now;
      time.now = new Date(when);
      return work().finally(() => (time.now = before));
    },
    /** Does something while the provider charges nobody. */
    whileAway: (work: () => Promise<void>) =>
      replacing(provider, () => ({ charge: () => Promise.reject(new Error('away')) }), work),
    /** A call of another service. */
    internal: (path: string, body: object) =>
      request.post(path).set('Authorization', admittedAuthorization('billing', path)).send(body),
    /** POST /internal/memberships/import. */
    import: (memberships: readonly object[], from: InternalCaller = 'operator') =>
      request
        .post('/internal/memberships/import')
        .set('Authorization', serviceAuthorization({ from, to: 'billing' }))
        .send({ memberships }),
    async close() {
      await consumer.close();
      await broker.close();
      await background?.close();
      await context.connection.dropDatabase();
      await context.close();
      await Promise.all([database.close(), events.close()]);
    },
  };
}

/** Does something while a store or the provider behaves otherwise in some ways. */
export async function replacing<Target extends object>(
  target: Target,
  otherwise: (own: Target) => Partial<Target>,
  work: () => Promise<void>,
): Promise<void> {
  const own = { ...target };
  Object.assign(target, otherwise(own));
  try {
    await work();
  } finally {
    Object.assign(target, own);
  }
}

/** The running service of a suite. */
export type ServiceUnderTest = Awaited<ReturnType<typeof startService>>;

/** A membership as the import takes it: one month from 2026-06-01 unless said otherwise. */
export const imported = (member: number, facts: object = {}) => ({
  member,
  package_id: 1,
  rate_id: 11,
  started_at: '2026-06-01T00:00:00Z',
  expires_at: '2026-07-01T00:00:00Z',
  autorenew: true,
  ...facts,
});
