import { withRequestContext } from '@covalence/runtime/request-context';
import type { RequestHandler } from 'express';
import { randomUUID } from 'node:crypto';

/** The client's own request id where it sent a sane one, else a new UUID. */
export function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && /^[\w.:-]{1,128}$/.test(header) ? header : randomUUID();
}

/** Gives every request its id, on the response, in the log and on calls and events that it causes. */
export const requestId: RequestHandler = (request, response, next) => {
  const id = requestIdOf(request.headers['x-request-id']);
  response.setHeader('X-Request-Id', id);
  withRequestContext({ requestId: id }, next);
};
