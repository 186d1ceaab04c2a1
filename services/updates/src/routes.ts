import type { Routes } from '@covalence/http/endpoint';
import type { Context } from './context.ts';
import { showPush, subscribe, unsubscribe } from './push/subscriptions.ts';

/** Every route of the service beside the WebSocket /ws/updates. */
export const routes: Routes<Context> = {
  'GET /webpush': showPush,
  'POST /webpush': subscribe,
  'DELETE /webpush': unsubscribe,
};
