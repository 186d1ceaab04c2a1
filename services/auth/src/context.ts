import { createLease } from '@covalence/events/lease';
import { createPeer, type Peer } from '@covalence/http/peer';
import { createServiceCredential } from '@covalence/http/service-credential';
import { systemClock, type Clock } from '@covalence/runtime/clock';
import { createHealth } from '@covalence/runtime/health';
import { createLogger } from '@covalence/runtime/logger';
import { createMetrics } from '@covalence/runtime/metrics';
import { connectMongo } from '@covalence/runtime/mongo';
import { connectRedis } from '@covalence/runtime/redis';
import { createSecurityLog } from '@covalence/runtime/security-events';
import { createBackground } from './background.ts';
import { createMailAdapter } from './mail/mail-adapter.ts';
import { createAccountStore } from './accounts/account-store.ts';
import { createPasswords } from './accounts/passwords/passwords.ts';
import { createClientCache } from './clients/client-cache.ts';
import { createClientStore } from './clients/client-store.ts';
import type { Config } from './config.ts';
import { createHousekeeping } from './housekeeping.ts';
import { createKeyRing } from './keys/key-ring.ts';
import { createKeyStore } from './keys/key-store.ts';
import { createSeal } from './keys/seal.ts';
import { createAttemptsStore } from './accounts/attempts-store.ts';
import { createOidc } from './tokens/provider/authorization-server.ts';
import { createRefreshRotation } from './tokens/families/refresh-rotation.ts';
import { createAdmissionStore } from './tokens/families/admission-store.ts';
import { createFamilyStore } from './tokens/families/family-store.ts';
import { createShortLivedStore } from './tokens/sessions/short-lived-store.ts';

/** What tests put in place of the real thing. */
export interface Overrides {
  readonly now?: Clock;
  readonly profile?: Peer;
  /** How long the database may take to answer (libs/runtime, mongo). */
  readonly databaseLimitMs?: number;
}

/** Builds the service's stores and clients. Nothing waits for a store to be there: calls answer 503 until it is. */
export function createContext(config: Config, overrides: Overrides = {}) {
  const { NAMESPACE: namespace, AUTH_PUBLIC_URL: issuer, PUBLIC_URL: audience, SITES_FILE: sites } = config;
  const now = overrides.now ?? systemClock;
  const logger = createLogger('auth', config.LOG_LEVEL);
  const metrics = createMetrics('auth');
  const security = createSecurityLog(logger, metrics);
  const health = createHealth();
  const mongo = connectMongo({
    url: config.MONGODB_URL,
    database: `${namespace}-auth`,
    logger,
    health,
    answerLimitMs: overrides.databaseLimitMs,
  });
  const redis = connectRedis({ url: config.REDIS_URL, logger });
  // Nobody signs in or registers without, but tokens are refreshed and keys told.
  health.addOptional('redis', () => redis.ping());
  const seal = createSeal(config.AUTH_SECRET);
  const accounts = createAccountStore(mongo);
  const clients = createClientCache(createClientStore(mongo), now);
  const families = createFamilyStore(mongo);
  const admission = createAdmissionStore(redis, namespace);
  const shortLived = createShortLivedStore(redis, namespace);
  const passwords = createPasswords(config.HASHES_AT_ONCE);
  const keyRing = createKeyRing(createKeyStore(mongo), seal, now, logger);
  health.add('signing keys', () => keyRing.current());
  const profile =
    overrides.profile ??
    createPeer({
      url: config.PROFILE_URL,
      to: 'profile',
      credential: createServiceCredential('auth', config.SERVICE_SECRET),
    });
  const rotation = createRefreshRotation({ families, seal, now });
  const oidc = createOidc(keyRing, {
    accounts,
    clients,
    families,
    admission,
    shortLived,
    rotation,
    profile,
    sites,
    seal,
    issuer,
    audience,
    logger,
    security,
    now,
  });
  const attempts = createAttemptsStore(redis, namespace, {
    windowSeconds: config.LOGIN_FAILURE_WINDOW_SECONDS,
    allowed: {
      account: config.LOGIN_FAILURES_PER_ACCOUNT,
      address: config.LOGIN_FAILURES_PER_ADDRESS,
      device: config.LOGIN_FAILURES_PER_DEVICE,
      mailAccount: config.MAIL_REQUESTS_PER_ACCOUNT,
      mailAddress: config.MAIL_REQUESTS_PER_ADDRESS,
    },
  });
  const mail = createMailAdapter({
    url: config.MAIL_URL,
    folder: config.MAIL_DIR,
    sender: config.MAIL_FROM,
    metrics,
  });
  const background = createBackground(logger);
  const housekeeping = createHousekeeping({
    lease: createLease(mongo, 'housekeeping', 90_000),
    accounts,
    clients,
    families,
    admission,
    profile,
    mail,
    seal,
    sites,
    issuer,
    logger,
    metrics,
    now,
  });

  return {
    config,
    now,
    logger,
    health,
    metrics,
    security,
    mongo,
    redis,
    sites,
    seal,
    accounts,
    families,
    admission,
    shortLived,
    mail,
    background,
    issuer,
    passwords,
    clients,
    keyRing,
    profile,
    attempts,
    oidc,
    housekeeping,
    async close() {
      await housekeeping.stop();
      await background.drained();
      await passwords.close();
      mail.close();
      redis.disconnect();
      await mongo.close();
    },
  };
}

/** The service's stores, clients and settings. */
export type Context = ReturnType<typeof createContext>;
