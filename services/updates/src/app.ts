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
  /** Closes every socket with 1001 and resolves when all are gone. */
  goAway(): Promise<void>;
}

/** How often sockets are checked for those that are due to close. */
const deadlineEveryMs = 1_000;

/** Creates the server: the socket by upgrade, the routes beside it. */
export function createApp(context: Context): App {
  const { config, logger, metrics, bearer, registry } = context;
  const options = {
    logger,
    metrics,
    bearer,
    services: createServiceGate('updates', config.SERVICE_PUBLIC_KEYS, logger),
  };
  const server = createServer(createServiceApp({ ...routes, ...internalRoutes }, context, options));
  server.on('upgrade', createAcceptor(context));
  const heartbeat = setInterval(() => void beat(context), config.HEARTBEAT_MS);
  const deadlines = setInterval(() => closeDue(context), deadlineEveryMs);
  heartbeat.unref();
  deadlines.unref();
  return {
    server,
    async goAway() {
      clearInterval(heartbeat);
      clearInterval(deadlines);
      const open = [...registry.connections()];
      await inSlices(open, (connection) => connection.close('goingAway'));
      await Promise.all(open.map((connection) => connection.gone()));
    },
  };
}
