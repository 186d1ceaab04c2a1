import type { Routes } from '@covalence/http/endpoint';
import type { Context } from './context.ts';
import { erase } from './privacy/erase-member.ts';
import { exportOf } from './privacy/export-member.ts';
import { showPush, subscribe, unsubscribe } from './push/subscriptions.ts';

/** Every route of the service beside the WebSocket /ws/updates; /internal is what other services call. */
export const routes: Routes<Context> = {
  'GET /webpush': showPush,
  'POST /webpush': subscribe,
  'DELETE /webpush': unsubscribe,
  'POST /internal/members/export': exportOf,
  'POST /internal/members/erase': erase,
};
