import type { InternalRoutes, Routes } from '@covalence/http/endpoint';
import { answerDeadLetters, answerSettling, answerStatus } from '@covalence/http/operations';
import type { Context } from './context.ts';
import { erase, exportOf } from './presence/privacy.ts';
import { registerDevice, removeDevice } from './push/devices.ts';
import { showPush, subscribe, unsubscribe } from './push/web-push.ts';

/** Endpoints for clients, beside the WebSocket /ws/updates. */
export const routes: Routes<Context> = {
  'GET /webpush': showPush,
  'POST /webpush': subscribe,
  'DELETE /webpush': unsubscribe,
  'POST /devices': registerDevice,
  'DELETE /devices': removeDevice,
};

/** Endpoints for other services and the operator's tools; the gateway does not route them. */
export const internalRoutes: InternalRoutes<'updates', Context> = {
  'POST /internal/members/export': exportOf,
  'POST /internal/members/erase': erase,
  'POST /internal/operations/status': answerStatus,
  'POST /internal/operations/dead-letters': answerDeadLetters,
  'POST /internal/operations/dead-letters/settle': answerSettling,
};
