import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Health } from './health.ts';
import type { Logger } from './logger.ts';
import { createManagementServer } from './management.ts';
import type { Metrics } from './metrics.ts';
import { measureProcess } from './process-metrics.ts';
import { startTraceExport } from './trace-export.ts';

/** What a running part is made of; `runService` starts and ends it in order. */
export interface Service {
  readonly server: Server;
  readonly health: Health;
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** Begins the background work (consumers, relays) once the server listens and what the part needs answers. */
  start?(): Promise<void>;
  /** Ends what keeps connections open, e.g. sockets with 1001. */
  goAway?(): Promise<void>;
  /** Drains consumers, then closes stores. */
  close(): Promise<void>;
}

/** Where a part listens, and where its traces go. */
export interface Listen {
  readonly HOST: string;
  readonly PORT: number;
  readonly MANAGEMENT_PORT: number;
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  readonly OTEL_TRACES_SAMPLER_ARG: number;
}

const shutdownLimitMs = 10_000;

/**
 * So much longer than it tells clients a server keeps an idle connection. A client that begins a call on one at the last
 * moment, or that has just stood still for seconds, would else meet its end, and a call that may not be made twice fails.
 */
const idleGraceMs = 15_000;

/** Connections that may wait to be taken; the system allows as many (`net.core.somaxconn`), Node asks for 511. */
const backlog = 4_096;

/** The open connections of each server that listens. */
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

/** Milliseconds between two looks for connections whose answer was under way when the server stopped, and for stores at the start. */
const lookMs = 100;

/**
 * Takes no more connections, and ends each that there is with the answer that it is owed. By itself Node ends those that are
 * idle at the moment: one with a request under way would be kept and used by its client, and one that was opened ahead, on
 * which nothing was said yet, would be waited for.
 */
function closeServer(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.prependListener('request', (_request: unknown, response: ServerResponse) => {
    response.shouldKeepAlive = false;
  });
  server.close(() => resolve());
  for (const socket of connections.get(server) ?? []) if (!socket.bytesRead) socket.destroy();
  const looking = setInterval(() => server.closeIdleConnections(), lookMs);
  return promise.finally(() => clearInterval(looking));
}

/** Begins the background work. Before its stores answer it could only fail, and would warn of that at every start. */
async function begin(service: Service): Promise<void> {
  const { health } = service;
  while (health.accepting && !(await health.report()).ready) await wait(lookMs);
  if (health.accepting) await service.start?.();
}

async function shutDown(service: Service, management: Server, traces?: { close(): Promise<void> }) {
  service.health.accepting = false;
  const closed = closeServer(service.server);
  await service.goAway?.();
  await closed;
  await service.close();
  // The last spans; a collector that is away does not make the end a failed one.
  await traces?.close().catch((error: unknown) => service.logger.warn({ err: error }, 'traces not sent'));
  await closeServer(management);
}

/**
 * Runs a part until SIGTERM or SIGINT: listen, begin the background work, then shut down in phases: readiness
 * false, stop accepting, sockets 1001, drain consumers, close stores; at most 10 s. Exit code 0 after a clean end,
 * 1 after a failed start, an exception that nobody caught, or a shutdown that took too long. An unhandled rejection is logged
 * and does not end it.
 */
export async function runService(service: Service, at: Listen): Promise<void> {
  const { logger, health, metrics } = service;
  measureProcess(metrics.registry);
  const management = createManagementServer(health, metrics);
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: ratio } = at;
  const traces =
    endpoint === undefined ? undefined : startTraceExport({ part: metrics.part, endpoint, ratio });
  let stopping = false;
  const stop = (signal: string) => {
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, 'shutting down');
    setTimeout(() => {
      logger.error('shutdown took too long');
      process.exit(1);
    }, shutdownLimitMs).unref();
    shutDown(service, management, traces).then(
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
  // Node would print it with everything that hangs on it, and in no line of the log.
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
    await begin(service);
  } catch (error) {
    logger.fatal({ err: error }, 'start failed');
    process.exit(1);
  }
}
