import { connectBroker } from '@covalence/events/broker';
import { createLease } from '@covalence/events/lease';
import { createOutbox, outboxState } from '@covalence/events/outbox';
import { createPublisher } from '@covalence/events/publisher';
import { createBearerVerifier, tokensOf, type BearerVerifier } from '@covalence/http/bearer';
import type { MountOptions } from '@covalence/http/mount';
import { createStatus, type ReadStatus } from '@covalence/http/operations';
import { createPeer } from '@covalence/http/peer';
import { createServiceCredential } from '@covalence/http/service-credential';
import { createServiceGate } from '@covalence/http/service-gate';
import { migrationState } from '@covalence/migrations/migration-state';
import { connectMongo } from '@covalence/runtime/mongo';
import { createServiceBase, type BaseOverrides, type ServiceBase } from '@covalence/runtime/service-base';
import type { Connection } from 'mongoose';
import { accessOf, isGivingAway, takesTesters, type Config } from './config.ts';
import { createMembershipStore } from './memberships/membership-store.ts';
import { createLedgerStore } from './ledger/ledger-store.ts';
import { createRedemptionStore } from './prices/redemption-store.ts';
import { migrations } from './migrations.ts';
import { createPaymentStore } from './payments/payment-store.ts';
import { createProviders } from './payments/providers.ts';
import { createCustomerStore } from './stores/customer-store.ts';
import { createAccountTokenStore } from './stores/account-token-store.ts';
import { createRoundStore } from './stores/round-store.ts';
import type { SubscriptionsContext } from './subscriptions/subscriptions.ts';
import { storeNames } from './stores/store.ts';
import { createReceiptLimit } from './subscriptions/receipt-limit.ts';
import { createStores, type Stores } from './subscriptions/stores.ts';
import { createSubscriptionStore } from './stores/subscription-store.ts';

/** The dependencies of the service's operations. */
export interface Context extends ServiceBase, MountOptions, SubscriptionsContext {
  readonly config: Config;
  readonly connection: Connection;
  readonly status: ReadStatus;
  /** Closes broker and database. */
  close(): Promise<void>;
}

/** Dependencies that tests replace. */
export interface Overrides extends BaseOverrides {
  readonly bearer?: BearerVerifier;
  readonly profile?: Context['profile'];
  readonly auth?: Context['auth'];
  readonly stores?: Stores;
  readonly checkOutput?: boolean;
  /** Time limit for answers of the database, ms. */
  readonly databaseLimitMs?: number;
}

/** An open payment is settled within minutes, or somebody has to look. */
const hangingMs = 3_600_000;

/** A purchase waits at most this long for the member's record or language. */
const profileTimeoutMs = 2_000;

const sandboxWarning = 'sandbox payments are allowed in production: members pay nothing';
const testersWarning = 'purchases of testers give memberships in production: members pay nothing';

/** Builds stores and clients, which connect in the background. */
export function createContext(config: Config, overrides: Overrides = {}): Context {
  const base = createServiceBase('billing', config, overrides);
  const { clock, health, logger, metrics } = base;
  const { NAMESPACE: namespace, MONGODB_URL, RABBITMQ_URL, RABBITMQ_TOPOLOGY: topology } = config;
  const { databaseLimitMs: answerLimitMs } = overrides;
  const database = `${namespace}-billing`;
  const connection = connectMongo({ ...base, url: MONGODB_URL, database, answerLimitMs });
  const broker = connectBroker({ ...base, url: RABBITMQ_URL, topology, namespace });
  const publisher = createPublisher(broker, metrics);
  const memberships = createMembershipStore(connection);
  const membershipOutbox = createOutbox({
    model: memberships.model,
    publisher,
    lease: createLease(connection, 'outbox:memberships'),
    logger,
    metrics,
  });
  const paying = {
    ...base,
    memberships,
    subscriptions: createSubscriptionStore(connection),
    accountTokens: createAccountTokenStore(connection),
    customers: createCustomerStore(connection),
    rounds: createRoundStore(connection),
    membershipOutbox,
    packageData: config.PACKAGES_DIR,
    payments: createPaymentStore(connection),
    ledger: createLedgerStore(connection),
    redemptions: createRedemptionStore(connection),
    providers: createProviders(config.PAYMENT_PROVIDERS, connection),
    receiptPolicy: config.RECEIPT_POLICY,
    takesFamilySharing: config.FAMILY_SHARING,
  };
  const stores =
    overrides.stores ??
    createStores(
      storeNames.filter((name) => config.PAYMENT_PROVIDERS.includes(name)),
      accessOf(config, clock),
      metrics,
    );
  // An alert sees the first one only if there was a zero before.
  for (const { name: store } of stores.all)
    for (const outcome of ['unsold', 'unswitched']) metrics.storeAnswers.inc({ store, outcome }, 0);
  const warnings = [
    ...(isGivingAway(config) ? [sandboxWarning] : []),
    ...(takesTesters(config) ? [testersWarning] : []),
  ];
  for (const warning of warnings) {
    health.warn(warning);
    logger.warn(warning);
  }
  const credential = createServiceCredential('billing', config.SERVICE_SECRET);
  const auth = overrides.auth ?? createPeer({ url: config.AUTH_URL, to: 'auth', credential });

  return {
    ...paying,
    config,
    stores,
    receiptLimit: createReceiptLimit(),
    status: createStatus({
      health,
      manifest: new URL('../package.json', import.meta.url),
      settings: {
        PAYMENT_PROVIDERS: config.PAYMENT_PROVIDERS.join(','),
        RECEIPT_POLICY: config.RECEIPT_POLICY,
        FAMILY_SHARING: config.FAMILY_SHARING,
        STRIPE_AUTOMATIC_TAX: config.STRIPE_AUTOMATIC_TAX,
        ALLOW_SANDBOX_PAYMENTS: config.ALLOW_SANDBOX_PAYMENTS,
      },
      outbox: () => outboxState([membershipOutbox]),
      migrations: () => migrationState(connection, migrations),
      payments: () => paying.payments.hanging(new Date(clock().getTime() - hangingMs)),
    }),
    connection,
    profile:
      overrides.profile ??
      createPeer({
        url: config.PROFILE_URL,
        to: 'profile',
        timeoutMs: profileTimeoutMs,
        credential,
      }),
    auth,
    audit: auth.recordStaffCall,
    sites: config.SITES_FILE,
    webhookSecret: config.PAYMENT_WEBHOOK_SECRET,
    bearer: overrides.bearer ?? createBearerVerifier(tokensOf(config)),
    services: createServiceGate('billing', config.SERVICE_PUBLIC_KEYS, logger),
    ...(overrides.checkOutput && { checkOutput: true }),
    async close() {
      publisher.closeSoon();
      await membershipOutbox.close();
      await publisher.close();
      await broker.close();
      await connection.close();
    },
  };
}
