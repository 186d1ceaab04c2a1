import type { Metrics } from '@covalence/runtime/metrics';
import { beginStep, traceOf } from '@covalence/runtime/tracing';
import { context, SpanStatusCode, trace, type Context, type Span } from '@opentelemetry/api';
import type { Request, RequestHandler } from 'express';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** A client that leaves is not a fault; one of ours is. */
function finish(span: Span, response: ServerResponse): void {
  if (response.headersSent) span.setAttribute('http.response.status_code', response.statusCode);
  if (response.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

function nameRoute(within: Context, method: string, route: string): void {
  trace.getSpan(within)?.updateName(`${method} ${route}`).setAttribute('http.route', route);
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

/** The pattern of the route that took a request; undefined where none did. */
function routeOf({ route }: Request): string | undefined {
  const { path } = (route ?? {}) as { path?: unknown };
  return typeof path === 'string' ? path : undefined;
}

/**
 * Traces and measures a service's requests, as part of the gateway's trace or of whichever service calls, each by the route
 * that took it: which that is shows on the way.
 */
export const observed =
  ({ requests }: Metrics): RequestHandler =>
  (request, response, next) => {
    const { method, headers } = request;
    const end = requests.startTimer({ method });
    response.once('close', () => {
      const route = routeOf(request);
      if (route !== undefined) nameRoute(under, method, route);
      end({ route: route ?? 'none', status: String(response.statusCode) });
    });
    const id = response.getHeader('x-request-id');
    const requestId = typeof id === 'string' ? id : undefined;
    const under = traceRequest(request, response, { requestId, within: traceOf(headers) });
    context.with(under, next);
  };
