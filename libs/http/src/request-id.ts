import { withRequestContext } from '@covalence/runtime/request-context';
import type { RequestHandler } from 'express';
import { randomUUID } from 'node:crypto';

/** The client's request id if it is well formed, else a new UUID. */
export function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && /^[\w.:-]{1,128}$/.test(header) ? header : randomUUID();
}

/** Sets the request id of the response, the log, and the calls and events of the request. */
export const requestId: RequestHandler = (request, response, next) => {
  const id = requestIdOf(request.headers['x-request-id']);
  response.setHeader('X-Request-Id', id);
  withRequestContext({ requestId: id }, next);
};
