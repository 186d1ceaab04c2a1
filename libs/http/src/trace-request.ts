import type { Metrics } from '@covalence/runtime/metrics';
import { startSpan, traceOf } from '@covalence/runtime/tracing';
import { context, SpanStatusCode, trace, type Context } from '@opentelemetry/api';
import type { Request, RequestHandler } from 'express';
import type { IncomingMessage, ServerResponse } from 'node:http';

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
 * Begins the span of a request. It is named after the route's pattern where that is known: a path may name a member. Returns
 * the context in which it is under way, and what ends it with the status of the answer, where the client got one.
 */
export function beginRequest(
  method: string,
  { requestId, route, within }: Traced,
): { readonly within: Context; readonly end: (status?: number) => void } {
  const step = startSpan({
    name: route === undefined ? method : `${method} ${route}`,
    kind: 'server',
    within,
    attributes: {
      'http.request.method': method,
      ...(route !== undefined && { 'http.route': route }),
      ...(requestId !== undefined && { 'covalence.request_id': requestId }),
    },
  });
  return {
    within: step.within,
    end(status) {
      if (status !== undefined) step.span.setAttribute('http.response.status_code', status);
      // A client that leaves is not a fault; one of ours is.
      if (status !== undefined && status >= 500) step.span.setStatus({ code: SpanStatusCode.ERROR });
      step.span.end();
    },
  };
}

/** The same for a request that is answered over HTTP, which ends it. */
export function traceRequest(request: IncomingMessage, response: ServerResponse, traced: Traced): Context {
  const { within, end } = beginRequest(request.method ?? '', traced);
  response.on('close', () => end(response.headersSent ? response.statusCode : undefined));
  return within;
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
