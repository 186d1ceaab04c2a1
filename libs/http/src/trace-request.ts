import type { Metrics } from '@covalence/runtime/metrics';
import { startSpan, traceOf } from '@covalence/runtime/tracing';
import { context, SpanStatusCode, trace, type Context } from '@opentelemetry/api';
import type { Request, RequestHandler } from 'express';
import type { IncomingMessage, ServerResponse } from 'node:http';

function nameRoute(within: Context, method: string, route: string): void {
  trace.getSpan(within)?.updateName(`${method} ${route}`).setAttribute('http.route', route);
}

/** A request to trace. */
export interface Traced {
  readonly requestId: string | undefined;
  readonly route?: string | undefined;
  /** The parent context. */
  readonly within: Context;
}

/**
 * Starts the span of a request, named after the route pattern because a path may contain a member id. `end`
 * takes the status of the answer, if it was sent.
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
      // A client that disconnects is not an error.
      if (status !== undefined && status >= 500) step.span.setStatus({ code: SpanStatusCode.ERROR });
      step.span.end();
    },
  };
}

/** Traces a request until its response closes. */
export function traceRequest(request: IncomingMessage, response: ServerResponse, traced: Traced): Context {
  const { within, end } = beginRequest(request.method ?? '', traced);
  response.on('close', () => end(response.headersSent ? response.statusCode : undefined));
  return within;
}

/** The pattern of the matched route. */
function routeOf({ route }: Request): string | undefined {
  const { path } = (route ?? {}) as { path?: unknown };
  return typeof path === 'string' ? path : undefined;
}

/** Middleware that traces and measures requests by their matched route. */
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
