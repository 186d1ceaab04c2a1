import { createBareApp, mountErrors, mountRoutes } from '@covalence/http/mount';
import express, { type Express } from 'express';
import type { Context } from './context.ts';
import { receiveWebhook } from './subscriptions/receive-webhook.ts';
import { internalRoutes, routes } from './routes.ts';

/** The service's HTTP application; it does not listen. */
export function createApp(context: Context): Express {
  const app = createBareApp(context.metrics);
  // A signature covers the raw bytes, so this body is not parsed.
  const bytes = express.raw({ type: () => true, limit: 64 * 1024 });
  app.post('/packages/webhook/:provider', bytes, receiveWebhook(context));
  mountRoutes(app, { ...routes, ...internalRoutes }, context, context);
  mountErrors(app, context.logger);
  return app;
}
