import { createServiceApp } from '@covalence/http/mount';
import { createServiceGate } from '@covalence/http/service-gate';
import { createServer, type Server } from 'node:http';
import type { Context } from './context.ts';
import { inSlices } from './live/in-slices.ts';
import { internalRoutes, routes } from './routes.ts';
import { createAcceptor } from './sockets/accept.ts';
import { beat, closeDue } from './sockets/heartbeat.ts';

/** The service's server, which does not listen yet. */
export interface App {
  readonly server: Server;
  /** Closes every socket with 1001 and resolves when all are closed. */
  goAway(): Promise<void>;
}

/** Interval at which sockets are checked for those that are due to close. */
const deadlineEveryMs = 1_000;

/** Creates the server: sockets by upgrade, and the routes beside them. `checkOutput` checks every answer against its schema, for tests. */
export function createApp(context: Context, { checkOutput = false } = {}): App {
  const { config, metrics, bearer, sockets, live } = context;
  const { logger } = live;
  const services = createServiceGate('updates', config.SERVICE_PUBLIC_KEYS, logger);
  const options = { logger, metrics, bearer, services, checkOutput };
  const server = createServer(createServiceApp({ ...routes, ...internalRoutes }, context, options));
  server.on('upgrade', createAcceptor(context));
  const heartbeat = setInterval(() => void beat(context), config.HEARTBEAT_MS).unref();
  const deadlines = setInterval(() => closeDue(context), deadlineEveryMs).unref();
  return {
    server,
    async goAway() {
      clearInterval(heartbeat);
      clearInterval(deadlines);
      const open = [...sockets.registry.connections()];
      await inSlices(open, (connection) => connection.close('goingAway'));
      await Promise.all(open.map((connection) => connection.gone()));
    },
  };
}
