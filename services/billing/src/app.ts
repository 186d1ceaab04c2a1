import { createServiceApp } from '@covalence/http/mount';
import type { Express } from 'express';
import type { BillingContext } from './context.ts';
import { routes } from './routes.ts';

/** The service's HTTP application; it does not listen. */
export function createApp(context: BillingContext): Express {
  return createServiceApp(routes, context, context);
}
