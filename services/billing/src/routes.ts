import type { Routes } from '@covalence/http/endpoint';
import type { BillingContext } from './context.ts';
import { importMembershipsEndpoint } from './memberships/import-memberships.ts';
import { listPackages } from './packages/list-packages.ts';

/** Every route of the service. */
export const routes: Routes<BillingContext> = {
  'GET /packages': listPackages,
  'POST /internal/memberships/import': importMembershipsEndpoint,
};
