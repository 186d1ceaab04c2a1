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

/** Destination and share of exported traces. */
export interface TraceExportOptions {
  /** `service.name` of the spans. */
  readonly service: string;
  /** The collector's OTLP/HTTP address without path, e.g. http://otel-collector:4318. */
  readonly endpoint: string;
  /** Share of the traces started here that are recorded, 0 to 1. Traces of callers keep their decision. */
  readonly ratio: number;
}

/** Provides tracers that record nothing. */
const silent = new ProxyTracerProvider();

/** Starts sending finished spans. An unreachable collector loses spans but fails no request. */
export function startTraceExport({ service, endpoint, ratio }: TraceExportOptions): {
  close(): Promise<void>;
} {
  const exporter = new OTLPTraceExporter({
    url: new URL('v1/traces', endpoint.endsWith('/') ? endpoint : `${endpoint}/`).href,
    timeoutMillis: 3_000,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.namespace': 'covalence' }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: 1_000 })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  // Record only our own spans: those of libraries contain member ids and whole errors.
  trace.setGlobalTracerProvider({
    getTracer: (name, version) => (name === tracerName ? provider : silent).getTracer(name, version),
  });
  return {
    close() {
      for (const api of [trace, context, propagation]) api.disable();
      return provider.shutdown();
    },
  };
}
