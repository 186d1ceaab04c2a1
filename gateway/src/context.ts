import { createBearerVerifier, tokensOf, type BearerVerifier } from '@covalence/http/bearer';
import { createProofCheck } from '@covalence/http/dpop';
import { systemClock, type Clock } from '@covalence/runtime/clock';
import { createHealth, type Health } from '@covalence/runtime/health';
import { createLogger, type Logger } from '@covalence/runtime/logger';
import { createMetrics, type Metrics } from '@covalence/runtime/metrics';
import { connectRedis, type RedisClient } from '@covalence/runtime/redis';
import type { IncomingMessage } from 'node:http';
import type { AdmissionContext } from './admission/admission.ts';
import type { Config } from './config.ts';
import { createCors, type Cors } from './admission/cors.ts';
import { createOriginStore } from './admission/origin-store.ts';
import { createConsole } from './responses/console.ts';
import { createDocuments } from './responses/documents.ts';
import { startFailureSeries } from './responses/failure-series.ts';
import type { OwnPages } from './responses/stored-file.ts';
import { createLimits } from './admission/limits.ts';
import { createMemberStateStore } from './admission/member-state-store.ts';
import { createProxyCheck } from './admission/trusted-proxies.ts';
import { createRouteTable, type Routes, type RouteTable, type ServiceName } from './routing/route-table.ts';
import { routes } from './routing/routes.ts';
import { createTunnels, type Tunnels } from './proxy/tunnels.ts';
import { createUpstream, type Upstream } from './proxy/upstream.ts';

/** The dependencies of request handling. */
export interface Context extends AdmissionContext {
  readonly config: Config;
  readonly logger: Logger;
  readonly health: Health;
  readonly metrics: Metrics;
  readonly routeTable: RouteTable;
  readonly cors: Cors;
  readonly origins: ReturnType<typeof createOriginStore>;
  /** Warns if X-Forwarded-For does not match TRUSTED_PROXIES. */
  readonly checkProxies: (request: IncomingMessage) => void;
  /** The gateway's own content: the API documents and the console. */
  readonly ownPages: OwnPages;
  readonly tunnels: Tunnels;
  readonly upstreams: Readonly<Record<ServiceName, Upstream>>;
  close(): Promise<void>;
}

/** Dependencies that tests replace. */
export interface Overrides {
  readonly bearer?: BearerVerifier;
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly redis?: RedisClient;
  readonly routes?: Routes;
}

const refusalMs = 200;

/** Builds the context. Redis being down does not affect readiness: each gateway then counts and admits on its own. */
export function createContext(config: Config, overrides: Overrides = {}): Context {
  const { NAMESPACE: namespace } = config;
  const logger = overrides.logger ?? createLogger('gateway', config.LOG_LEVEL);
  const metrics = createMetrics('gateway');
  const table = overrides.routes ?? routes;
  startFailureSeries(metrics, table);
  const clock = overrides.clock ?? systemClock;
  const health = createHealth();
  const redis =
    overrides.redis ??
    connectRedis({ url: config.REDIS_URL, logger, commandTimeoutMs: config.REDIS_TIMEOUT_MS });
  health.addOptional('redis', () => redis.ping());
  const tunnels = createTunnels();
  const upstream = (url: string) =>
    createUpstream({
      url,
      timeoutMs: config.UPSTREAM_TIMEOUT_MS,
      connectTimeoutMs: config.UPSTREAM_CONNECT_TIMEOUT_MS,
      maxRequests: config.UPSTREAM_MAX_REQUESTS,
      logger,
      tunnels,
      closing: () => !health.accepting,
    });
  const upstreams = {
    auth: upstream(config.AUTH_URL),
    profile: upstream(config.PROFILE_URL),
    search: upstream(config.SEARCH_URL),
    billing: upstream(config.BILLING_URL),
    updates: upstream(config.UPDATES_URL),
  };
  const memberStates = createMemberStateStore({
    redis,
    namespace,
    clock,
    logger,
  });
  const ownPages = [createDocuments(), createConsole(config)];
  const origins = createOriginStore({ redis, namespace, logger });
  return {
    config,
    logger,
    health,
    metrics,
    routeTable: createRouteTable(table),
    cors: createCors(config.CORS_ORIGINS, config.PUBLIC_URL, origins.isRegistered),
    origins,
    checkProxies: createProxyCheck({
      trustedProxies: config.TRUSTED_PROXIES,
      publicUrl: config.PUBLIC_URL,
      logger,
      metrics,
      clock,
    }),
    ownPages: (path) => ownPages.map((find) => find(path)).find((page) => page !== undefined),
    tunnels,
    upstreams,
    bearer: overrides.bearer ?? createBearerVerifier(tokensOf(config)),
    limits: createLimits({
      redis,
      namespace,
      windowSeconds: config.RATE_WINDOW_SECONDS,
      perAddress: config.RATE_PER_ADDRESS,
      perMember: config.RATE_PER_MEMBER,
      refusalMs,
    }),
    memberStates,
    proofs: createProofCheck({ redis, namespace, now: () => clock().getTime() }),
    publicUrls: [config.PUBLIC_URL, config.AUTH_PUBLIC_URL ?? config.PUBLIC_URL],
    close: async () => {
      await Promise.all(Object.values(upstreams).map((one) => one.close()));
      memberStates.close();
      origins.close();
      redis.disconnect();
    },
  };
}
