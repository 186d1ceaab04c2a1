import { createBearerVerifier, tokensOf } from '@covalence/http/bearer';
import { createBareApp, mountErrors, mountRoutes } from '@covalence/http/mount';
import { createServiceGate } from '@covalence/http/service-gate';
import type { Express } from 'express';
import type { Context } from './context.ts';
import { verificationKey } from './keys/key-ring.ts';
import { mountAppAssociations, mountPages, mountProvider } from './public-paths.ts';
import { internalRoutes, routes } from './routes.ts';
import { recordCall } from './staff/audit.ts';

/** The service's application: internal endpoints, hosted pages, authorization server. It never listens. */
export function createApp(context: Context, options: { checkOutput?: boolean } = {}): Express {
  const { config, logger, metrics } = context;
  const app = createBareApp(metrics);
  // The router tries paths in order: those that people wait for come first.
  mountProvider(app, context);
  mountPages(app, context);
  mountAppAssociations(app, context);
  mountRoutes(app, { ...routes, ...internalRoutes }, context, {
    logger,
    metrics,
    services: createServiceGate('auth', config.SERVICE_PUBLIC_KEYS, logger),
    bearer: createBearerVerifier({
      ...tokensOf({ ...config, AUTH_URL: config.AUTH_PUBLIC_URL }),
      keys: verificationKey(context.keys.ring),
    }),
    audit: (call) => recordCall(call, context),
    ...options,
  });
  mountErrors(app, logger);
  return app;
}
