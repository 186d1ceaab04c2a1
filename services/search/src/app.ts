import { canonicalName } from '@covalence/contract/catalogue/fields';
import { createServiceApp } from '@covalence/http/mount';
import type { Express } from 'express';
import type { Context } from './context.ts';
import { internalRoutes, routes } from './routes.ts';

/** The service's HTTP application; it does not listen. */
export function createApp(context: Context): Express {
  return createServiceApp({ ...routes, ...internalRoutes }, context, { ...context, canonicalName });
}
