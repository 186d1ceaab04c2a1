import { createAfterResponse } from '@covalence/http/after-response';
import { createStatus } from '@covalence/http/operations';
import { createPeer, type Peer } from '@covalence/http/peer';
import { createServiceCredential } from '@covalence/http/service-credential';
import { migrationState } from '@covalence/migrations/migration-state';
import { connectMongo } from '@covalence/runtime/mongo';
import { connectRedis } from '@covalence/runtime/redis';
import { createServiceBase, type BaseOverrides } from '@covalence/runtime/service-base';
import { createAccountStore } from './accounts/account-store.ts';
import { createAttemptsStore } from './accounts/attempts-store.ts';
import { createEmailStore } from './accounts/emails/email-store.ts';
import { createIdentityStore } from './accounts/identities/identity-store.ts';
import { createProviderConnection } from './accounts/identities/provider-connection.ts';
import { createProviderTokenStore } from './accounts/identities/provider-token-store.ts';
import { createClaimStore } from './accounts/names/claim-store.ts';
import { createPasskeyStore, maxPasskeys } from './accounts/passkey-store.ts';
import { createSecondFactorStore } from './accounts/second-factor-store.ts';
import { maxWrongCodes } from './accounts/second-factors.ts';
import { createPasswords } from './accounts/passwords/passwords.ts';
import { createPendingAccountStore } from './accounts/pending-account-store.ts';
import { createSignInMethodStore } from './accounts/sign-in-method-store.ts';
import { createClientCache } from './clients/client-cache.ts';
import { createClientFlagStore } from './clients/client-flag-store.ts';
import { createClientStore } from './clients/client-store.ts';
import type { Config } from './config.ts';
import { createKeyRing } from './keys/key-ring.ts';
import { createKeyStore } from './keys/key-store.ts';
import { createSeal } from './keys/seal.ts';
import { createMailAdapter } from './mail/mail-adapter.ts';
import { createMailQueueStore } from './mail/mail-queue-store.ts';
import { migrations } from './migrations.ts';
import { createProviderPages } from './sign-in/pages/provider-pages.ts';
import { createAuditStore } from './staff/audit-store.ts';
import { createFamilyStore } from './tokens/families/family-store.ts';
import { createRevocationStore } from './tokens/families/revocation-store.ts';
import { createAuthorizationServer } from './tokens/provider/authorization-server.ts';
import { createSessionStore } from './tokens/sessions/session-store.ts';

/** Replacements for tests. */
export interface Overrides extends BaseOverrides {
  readonly profile?: Peer<'profile'>;
  /** Time limit of database operations (libs/runtime/src/mongo.ts). */
  readonly databaseLimitMs?: number;
}

/** Builds the service's stores and clients. Nothing waits for a store: requests get 503 until it is up. */
export function createContext(config: Config, overrides: Overrides = {}) {
  const { NAMESPACE: namespace, AUTH_PUBLIC_URL: issuer, PUBLIC_URL: audience, SITES_FILE: sites } = config;
  const base = createServiceBase('auth', config, overrides);
  const { clock, health, logger, metrics } = base;
  const { databaseLimitMs: answerLimitMs } = overrides;
  const database = `${namespace}-auth`;
  const connection = connectMongo({ ...base, url: config.MONGODB_URL, database, answerLimitMs });
  const redis = connectRedis({ url: config.REDIS_URL, logger });
  // Without Redis nobody signs in or registers, but refreshing works: it does not affect readiness.
  health.addOptional('redis', () => redis.ping());
  const credential = createServiceCredential('auth', config.SERVICE_SECRET);
  const profile = overrides.profile ?? createPeer({ url: config.PROFILE_URL, to: 'profile', credential });

  const seal = createSeal(config.AUTH_SECRET);
  const keys = { seal, ring: createKeyRing(createKeyStore(connection), seal, clock, logger) };
  health.add('signing keys', () => keys.ring.current());
  const clients = {
    ...createClientCache(createClientStore(connection), clock),
    flags: createClientFlagStore(redis, namespace),
  };
  const accounts = {
    ...createAccountStore(connection),
    pending: createPendingAccountStore(connection),
    claims: createClaimStore(connection),
    emails: createEmailStore(connection),
    identities: createIdentityStore(connection),
    passkeys: createPasskeyStore(connection),
    secondFactors: createSecondFactorStore(connection),
    signInMethods: createSignInMethodStore(connection),
    passwords: createPasswords(config.HASHES_AT_ONCE),
    attempts: createAttemptsStore(redis, namespace, {
      windowSeconds: config.LOGIN_FAILURE_WINDOW_SECONDS,
      allowed: {
        account: config.LOGIN_FAILURES_PER_ACCOUNT,
        address: config.LOGIN_FAILURES_PER_ADDRESS,
        device: config.LOGIN_FAILURES_PER_DEVICE,
        passkey: config.LOGIN_FAILURES_PER_ADDRESS,
        appCode: maxWrongCodes,
        recoveryCode: config.LOGIN_FAILURES_PER_ADDRESS,
        addedWayIn: maxPasskeys,
        mailAccount: config.MAIL_REQUESTS_PER_ACCOUNT,
        mailAddress: config.MAIL_REQUESTS_PER_ADDRESS,
      },
    }),
  };
  const identities = {
    tokens: createProviderTokenStore(connection),
    providers: new Map(
      config.IDENTITY_PROVIDERS.map((one) => [one.id, createProviderConnection(one, issuer, clock)]),
    ),
  };
  const { MAIL_URL: url, MAIL_DIR: folder, MAIL_FROM: sender } = config;
  const mail = {
    ...createMailAdapter({ url, folder, sender, metrics }),
    queue: createMailQueueStore(connection),
  };
  const afterResponse = createAfterResponse(logger);
  const shared = {
    ...base,
    accounts,
    identities,
    clients,
    keys,
    mail,
    profile,
    sites,
    issuer,
    afterResponse,
    /** Whether staff need a second factor. */
    secondFactor: config.STAFF_SECOND_FACTOR,
  };
  const stores = {
    families: createFamilyStore(connection),
    revocations: createRevocationStore(redis, namespace),
    sessions: createSessionStore(redis, namespace),
  };
  const pages = createProviderPages(sites, accounts, profile);
  const server = createAuthorizationServer({ ...shared, tokens: stores, pages, audience });

  return {
    ...shared,
    tokens: { ...stores, server },
    audit: createAuditStore(connection),
    audience,
    profileUrl: config.PROFILE_URL,
    recoveryHours: config.RECOVERY_DELAY_HOURS,
    config,
    status: createStatus({
      health,
      manifest: new URL('../package.json', import.meta.url),
      settings: {
        STAFF_SECOND_FACTOR: config.STAFF_SECOND_FACTOR,
        RECOVERY_DELAY_HOURS: config.RECOVERY_DELAY_HOURS,
        IDENTITY_PROVIDERS: [...identities.providers.keys()].join(','),
      },
      migrations: () => migrationState(connection, migrations),
    }),
    connection,
    redis,
    async close() {
      await afterResponse.drained();
      await accounts.passwords.close();
      mail.close();
      redis.disconnect();
      await connection.close();
    },
  };
}

/** The service's stores, clients and settings. */
export type Context = ReturnType<typeof createContext>;
