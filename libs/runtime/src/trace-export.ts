import { context, propagation, ProxyTracerProvider, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { tracerName } from './tracing.ts';

/** Where traces go. */
export interface TraceExportOptions {
  /** Name of the part, the `service.name` of its spans. */
  readonly part: string;
  /** The collector's OTLP/HTTP address without path, e.g. http://otel-collector:4318. */
  readonly endpoint: string;
  /** Share of the traces begun here that are kept, 0 to 1; one that comes from elsewhere brings its decision along. */
  readonly ratio: number;
}

/** Gives tracers that trace nothing. */
const silent = new ProxyTracerProvider();

/** Sends finished spans from now on; a collector that is away costs spans, never a request. */
export function startTraceExport({ part, endpoint, ratio }: TraceExportOptions): { close(): Promise<void> } {
  const exporter = new OTLPTraceExporter({
    url: new URL('v1/traces', endpoint.endsWith('/') ? endpoint : `${endpoint}/`).href,
    timeoutMillis: 3_000,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': part, 'service.namespace': 'covalence' }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: 1_000 })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  // Libraries make spans of their own, with numbers of members and whole errors in them: ours alone are kept.
  trace.setGlobalTracerProvider({
    getTracer: (name, version) => (name === tracerName ? provider : silent).getTracer(name, version),
  });
  return { close: () => provider.shutdown() };
}
