import { canonicalName } from '@covalence/contract/catalogue/fields';
import { createServiceApp } from '@covalence/http/mount';
import type { Express } from 'express';
import type { SearchContext } from './context.ts';
import { routes } from './routes.ts';

/** The service's HTTP application; it does not listen. */
export function createApp(context: SearchContext): Express {
  return createServiceApp(routes, context, { ...context, canonicalName });
}
