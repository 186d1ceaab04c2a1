import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Health } from './health.ts';
import type { Logger } from './logger.ts';
import { createManagementServer } from './management.ts';
import type { Metrics } from './metrics.ts';
import { measureProcess } from './process-metrics.ts';
import { startTraceExport } from './trace-export.ts';

/** The consumers, relays and jobs of a service while they run. */
export interface Background {
  /** Stops them and waits for what they are doing. */
  close(): Promise<void>;
}

/** A service that `runService` starts and shuts down. */
export interface Service {
  readonly server: Server;
  readonly health: Health;
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** Starts the background work once the server listens and the service is ready. */
  background?(): Background;
  /** Closes long-lived connections, e.g. WebSockets with 1001. */
  goAway?(): Promise<void>;
  /** Closes the stores, after the background work. */
  close(): Promise<void>;
}

/** Addresses on which a service listens, and the settings of its traces. */
export interface Listen {
  readonly HOST: string;
  readonly PORT: number;
  readonly MANAGEMENT_PORT: number;
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  readonly OTEL_TRACES_SAMPLER_ARG: number;
}

const shutdownLimitMs = 10_000;

/**
 * A server keeps idle connections this much longer than its Keep-Alive header says. Otherwise a request sent at the last moment
 * meets a closed connection, and one that is not safe to repeat fails.
 */
const idleGraceMs = 15_000;

/** Pending connections: the default of `net.core.somaxconn`; Node's own default is 511. */
const backlog = 4_096;

/** The open connections of each listening server. */
const connections = new WeakMap<Server, Set<Socket>>();

function followConnections(server: Server): void {
  const open = new Set<Socket>();
  const forget = function (this: Socket) {
    open.delete(this);
  };
  server.on('connection', (socket) => void open.add(socket.on('close', forget)));
  connections.set(server, open);
}

/** Listens and resolves with the port; rejects when the port is taken. */
export function listen(server: Server, port: number, host: string): Promise<number> {
  server.keepAliveTimeoutBuffer = idleGraceMs;
  followConnections(server);
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  server.once('error', reject);
  server.listen(port, host, backlog, () => {
    server.off('error', reject);
    resolve((server.address() as AddressInfo).port);
  });
  return promise;
}

/** Polling interval for idle connections at shutdown and for readiness at start, ms. */
const pollMs = 100;

/**
 * Stops accepting connections and closes each open one after its current response. `server.close` alone closes only connections that
 * are idle at that moment: it keeps alive those with a request in progress, and waits for those that have sent nothing.
 */
function closeServer(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.prependListener('request', (_request: unknown, response: ServerResponse) => {
    response.shouldKeepAlive = false;
  });
  server.close(() => resolve());
  for (const socket of connections.get(server) ?? []) if (!socket.bytesRead) socket.destroy();
  const polling = setInterval(() => server.closeIdleConnections(), pollMs);
  return promise.finally(() => clearInterval(polling));
}

/** Starts the background work once the stores answer, so that a start logs no failures. */
async function startWhenReady(service: Service): Promise<Background | undefined> {
  const { health } = service;
  while (health.accepting && !(await health.report()).ready) await wait(pollMs);
  return health.accepting ? service.background?.() : undefined;
}

/** Parts of a process beside the server of the service. */
interface Beside {
  readonly management: Server;
  readonly background: Background | undefined;
  readonly traces: { close(): Promise<void> } | undefined;
}

async function shutDown(service: Service, { management, background, traces }: Beside) {
  service.health.accepting = false;
  const closed = closeServer(service.server);
  await service.goAway?.();
  await closed;
  await background?.close();
  await service.close();
  // Send the last spans. An unreachable collector is no failed shutdown.
  await traces?.close().catch((error: unknown) => service.logger.warn({ err: error }, 'traces not sent'));
  await closeServer(management);
}

/**
 * Runs a service until SIGTERM or SIGINT, then shuts it down within 10 s: not ready, stop accepting, close WebSockets with 1001,
 * drain consumers, close stores. Exit code 0 after a clean shutdown; 1 after a failed start, an uncaught exception or a shutdown
 * that took too long. An unhandled rejection is only logged.
 */
export async function runService(service: Service, at: Listen): Promise<void> {
  const { logger, health, metrics } = service;
  measureProcess(metrics.registry);
  const management = createManagementServer(health, metrics);
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: ratio } = at;
  const traces =
    endpoint === undefined ? undefined : startTraceExport({ service: metrics.service, endpoint, ratio });
  let background: Background | undefined;
  let stopping = false;
  const stop = (signal: string) => {
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, 'shutting down');
    setTimeout(() => {
      logger.error('shutdown took too long');
      process.exit(1);
    }, shutdownLimitMs).unref();
    shutDown(service, { management, background, traces }).then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, 'shutdown failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('unhandledRejection', (error) => logger.error({ err: error }, 'unhandled rejection'));
  // Node would print it outside of the log, with every property of the error.
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'uncaught exception');
    process.exit(1);
  });
  try {
    const [port, managementPort] = await Promise.all([
      listen(service.server, at.PORT, at.HOST),
      listen(management, at.MANAGEMENT_PORT, at.HOST),
    ]);
    logger.info({ port, management_port: managementPort }, 'listening');
    background = await startWhenReady(service);
  } catch (error) {
    logger.fatal({ err: error }, 'start failed');
    process.exit(1);
  }
}
