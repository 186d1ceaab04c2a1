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

/** A step of the work, as it is told to the trace. */
export interface Step {
  readonly name: string;
  readonly kind?: 'server' | 'client' | 'producer' | 'consumer';
  readonly attributes?: Attributes;
  /** The trace it belongs to; that of the work under way when left out. */
  readonly within?: Context;
  /** Other traces that it serves too, as `traceparent` texts. */
  readonly alsoFor?: readonly string[];
}

/** What makes our spans. */
export const tracerName = 'covalence';

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

/** No trace yet: what begins in it begins one. */
export const newTrace: Context = ROOT_CONTEXT;

/** The trace that the headers of a caller speak of; a new one where they speak of none. */
export function traceOf(headers: Readonly<Record<string, unknown>>): Context {
  return propagation.extract(ROOT_CONTEXT, headers);
}

/** Headers that continue a trace (the one of the work under way) elsewhere; none where nothing is traced. */
export function traceHeaders(within: Context = context.active()): TraceHeaders {
  const headers: Record<string, string> = {};
  propagation.inject(within, headers);
  return headers;
}

const linkTo = (traceparent: string) => trace.getSpanContext(traceOf({ traceparent }));

/** Begins a span that its caller ends, and the context in which it is the one under way. */
export function startSpan({ name, kind, attributes = {}, within = context.active(), alsoFor = [] }: Step): {
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

/** Runs work as a span of its own; one that rejects is marked as failed with the error's name, never its message. */
export async function inSpan<Result>(step: Step, work: () => Promise<Result>): Promise<Result> {
  const { span, within } = startSpan(step);
  try {
    return await context.with(within, work);
  } catch (error) {
    // A message may quote somebody's data.
    span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'error' });
    throw error;
  } finally {
    span.end();
  }
}

/** The same work, done as part of a trace wherever it is called, so that its log lines carry that. */
export const bindTrace = <Args extends unknown[], Result>(
  within: Context,
  work: (...args: Args) => Result,
): ((...args: Args) => Result) => context.bind(within, work);

/** The id of the trace of the work under way, for log lines; undefined where nothing is traced. */
export function currentTraceId(): string | undefined {
  return trace.getActiveSpan()?.spanContext().traceId;
}
