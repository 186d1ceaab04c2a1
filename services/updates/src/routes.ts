import type { InternalRoutes, Routes } from '@covalence/http/endpoint';
import type { Context } from './context.ts';
import { erase } from './live/erase-member.ts';
import { exportOf } from './live/export-member.ts';
import { showPush, subscribe, unsubscribe } from './push/subscriptions.ts';

/** What clients call beside the WebSocket /ws/updates. */
export const routes: Routes<Context> = {
  'GET /webpush': showPush,
  'POST /webpush': subscribe,
  'DELETE /webpush': unsubscribe,
};

/** What other services and the operator's tools call; the gateway never routes it. */
export const internalRoutes: InternalRoutes<'updates', Context> = {
  'POST /internal/members/export': exportOf,
  'POST /internal/members/erase': erase,
};
