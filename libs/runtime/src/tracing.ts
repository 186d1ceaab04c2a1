import {
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
} from '@opentelemetry/api';

/** The W3C headers that carry a trace from one process to the next. */
export interface TraceHeaders {
  readonly traceparent?: string;
  readonly tracestate?: string;
}

/** A span to start. */
export interface SpanOptions {
  readonly name: string;
  readonly kind?: 'server' | 'client' | 'producer' | 'consumer';
  readonly attributes?: Attributes;
  /** Parent context; by default the active one. */
  readonly within?: Context;
  /** `traceparent` of other traces to link. */
  readonly alsoFor?: readonly string[];
}

/** Name of the tracer of our own spans. */
export const tracerName = 'covalence';

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

/** A context without a trace: a span in it starts a new trace. */
export const newTrace: Context = ROOT_CONTEXT;

/** The trace context in a caller's headers, else a new one. */
export function traceOf(headers: Readonly<Record<string, unknown>>): Context {
  return propagation.extract(ROOT_CONTEXT, headers);
}

/** Headers that propagate a trace context; empty if nothing is traced. */
export function traceHeaders(within: Context = context.active()): TraceHeaders {
  const headers: Record<string, string> = {};
  propagation.inject(within, headers);
  return headers;
}

const linkTo = (traceparent: string) => trace.getSpanContext(traceOf({ traceparent }));

/** Starts a span, which the caller ends, and returns the context in which it is active. */
export function startSpan({
  name,
  kind,
  attributes = {},
  within = context.active(),
  alsoFor = [],
}: SpanOptions): {
  readonly span: Span;
  readonly within: Context;
} {
  const links = alsoFor.flatMap((traceparent) => {
    const linked = linkTo(traceparent);
    return linked ? [{ context: linked }] : [];
  });
  const options = { ...(kind && { kind: kinds[kind] }), attributes, links };
  const span = trace.getTracer(tracerName).startSpan(name, options, within);
  return { span, within: trace.setSpan(within, span) };
}

/** Runs work in a span. A rejection marks the span as failed with the error's name, never its message. */
export async function inSpan<Result>(options: SpanOptions, work: () => Promise<Result>): Promise<Result> {
  const { span, within } = startSpan(options);
  try {
    return await context.with(within, work);
  } catch (error) {
    // Messages may quote personal data.
    span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'error' });
    throw error;
  } finally {
    span.end();
  }
}

/** Binds a function to a trace context, so that its log lines carry the trace id wherever it is called. */
export const bindTrace = <Args extends unknown[], Result>(
  within: Context,
  work: (...args: Args) => Result,
): ((...args: Args) => Result) => context.bind(within, work);

/** The id of the active trace, for log lines. */
export function currentTraceId(): string | undefined {
  return trace.getActiveSpan()?.spanContext().traceId;
}
