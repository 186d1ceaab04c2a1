import type { InternalRoutes, Routes } from '@covalence/http/endpoint';
import { answerStatus } from '@covalence/http/operations';
import type { Context } from './context.ts';
import { importMembershipsEndpoint } from './memberships/import-memberships.ts';
import { cancelMembership, switchRenewalEndpoint } from './subscriptions/renewal.ts';
import { listPackages } from './packages/list-packages.ts';
import { showOwnMembership } from './packages/own-membership.ts';
import { openPortal } from './packages/open-portal.ts';
import { purchasePackage } from './packages/purchase.ts';
import { erase, exportOf } from './memberships/privacy.ts';
import { restorePurchases } from './subscriptions/restore-purchases.ts';
import { correctMembership, refundApproved } from './staff/correct-membership.ts';
import { findPayingMembers } from './staff/find-payers.ts';
import { viewMembership } from './staff/membership-report.ts';

/** Routes for clients and staff. */
export const routes: Routes<Context> = {
  'GET /packages': listPackages,
  'POST /packages/purchase': purchasePackage,
  'POST /packages/restore': restorePurchases,
  'POST /packages/portal': openPortal,
  'POST /packages/cancel': cancelMembership,
  'GET /memberships/self': showOwnMembership,
  'GET /staff/memberships/:member': viewMembership,
  'POST /staff/memberships/:member/correct': correctMembership,
};

/** Routes for other services and the operator's tools; the gateway never routes them. */
export const internalRoutes: InternalRoutes<'billing', Context> = {
  'POST /internal/memberships/renewal': switchRenewalEndpoint,
  'POST /internal/memberships/payers': findPayingMembers,
  'POST /internal/memberships/refund': refundApproved,
  'POST /internal/memberships/import': importMembershipsEndpoint,
  'POST /internal/members/export': exportOf,
  'POST /internal/members/erase': erase,
  'POST /internal/operations/status': answerStatus,
};
