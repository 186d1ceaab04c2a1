import { canonicalName } from '@covalence/contract/catalogue/fields';
import { createBareApp, mountErrors, mountRoutes } from '@covalence/http/mount';
import { createServiceGate } from '@covalence/http/service-gate';
import type { Express } from 'express';
import type { Context } from './context.ts';
import { mountPhotoFiles } from './photos/photo-files.ts';
import { internalRoutes, publicRoutes, staffRoutes } from './routes.ts';

/** Bytes of an internal request: 500 imported members with every field fit. */
const internalBodyLimit = 16 * 1024 * 1024;

/** Creates the application, without listening. `checkOutput` checks every answer against its schema, for tests. */
export function createApp(context: Context, { checkOutput = false } = {}): Express {
  const { logger, metrics, bearer, audit, config } = context;
  const options = {
    logger,
    metrics,
    bearer,
    audit,
    services: createServiceGate('profile', config.SERVICE_PUBLIC_KEYS, logger),
    checkOutput,
  };
  const app = createBareApp(metrics);
  mountPhotoFiles(app, context);
  mountRoutes(app, publicRoutes, context, { ...options, canonicalName });
  mountRoutes(app, staffRoutes, context, options);
  mountRoutes(app, internalRoutes, context, { ...options, bodyLimit: internalBodyLimit });
  mountErrors(app, logger);
  return app;
}
