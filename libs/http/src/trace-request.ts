import { beginStep, traceOf } from '@covalence/runtime/tracing';
import { context, SpanStatusCode, trace, type Context, type Span } from '@opentelemetry/api';
import type { RequestHandler } from 'express';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** A client that leaves is not a fault; one of ours is. */
function finish(span: Span, response: ServerResponse): void {
  if (response.headersSent) span.setAttribute('http.response.status_code', response.statusCode);
  if (response.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

/** What is known of a request when its span begins. */
export interface Traced {
  readonly requestId: string | undefined;
  readonly route?: string | undefined;
  /** The trace that it belongs to. */
  readonly within: Context;
}

/**
 * Begins the span of a request, which ends with its answer. It is named after the route's pattern where that is known:
 * a path may name a member. Returns the context in which the span is under way.
 */
export function traceRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { requestId, route, within }: Traced,
): Context {
  const { method = '' } = request;
  const step = beginStep({
    name: route === undefined ? method : `${method} ${route}`,
    kind: 'server',
    within,
    attributes: {
      'http.request.method': method,
      ...(route !== undefined && { 'http.route': route }),
      ...(requestId !== undefined && { 'covalence.request_id': requestId }),
    },
  });
  response.on('close', () => finish(step.span, response));
  return step.within;
}

/** Traces a service's requests as part of the gateway's, or of whichever service calls. */
export const traced: RequestHandler = (request, response, next) => {
  const id = response.getHeader('x-request-id');
  const requestId = typeof id === 'string' ? id : undefined;
  context.with(traceRequest(request, response, { requestId, within: traceOf(request.headers) }), next);
};

/** Says which route the request under way took. */
export function nameRoute(method: string, route: string): void {
  trace.getActiveSpan()?.updateName(`${method} ${route}`).setAttribute('http.route', route);
}
