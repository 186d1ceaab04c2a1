import { context, propagation, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '../src/logger.ts';
import { currentTraceId, inSpan, newTrace, traceHeaders, traceOf } from '../src/tracing.ts';

const remote = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const other = '00-1af7651916cd43dd8448eb211c80319c-c7ad6b7169203331-01';

describe('without an exporter', () => {
  it('runs work, and sends no header', async () => {
    expect(await inSpan({ name: 'work' }, () => Promise.resolve([traceHeaders(), currentTraceId()]))).toEqual(
      [{}, undefined],
    );
  });
});

describe('with an exporter', () => {
  const exporter = new InMemorySpanExporter();
  beforeAll(() => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager());
    propagation.setGlobalPropagator(new W3CTraceContextPropagator());
    const spanProcessors = [new SimpleSpanProcessor({ exporter })];
    trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors }));
  });
  afterEach(() => exporter.reset());
  afterAll(() => {
    for (const api of [trace, context, propagation]) api.disable();
  });

  it('a span continues its parent trace, propagates it, and links others', async () => {
    const sent = await inSpan(
      { name: 'step', within: traceOf({ traceparent: remote }), alsoFor: [other, 'nonsense'] },
      () => Promise.resolve(traceHeaders()),
    );
    const [span] = exporter.getFinishedSpans();
    expect(span?.spanContext().traceId).toBe('0af7651916cd43dd8448eb211c80319c');
    expect(span?.parentSpanContext?.spanId).toBe('b7ad6b7169203331');
    expect(span?.links.map((link) => link.context.traceId)).toEqual(['1af7651916cd43dd8448eb211c80319c']);
    expect(sent.traceparent).toBe(`00-0af7651916cd43dd8448eb211c80319c-${span?.spanContext().spanId}-01`);
  });

  it('nested spans are children, across awaits too', async () => {
    await inSpan({ name: 'outer', within: newTrace }, async () => {
      await Promise.resolve();
      await inSpan({ name: 'inner' }, () => Promise.resolve());
    });
    const [inner, outer] = exporter.getFinishedSpans();
    expect(inner?.parentSpanContext?.spanId).toBe(outer?.spanContext().spanId);
  });

  it('a failure is marked with its name, without its message, which may contain data', async () => {
    const failure = new TypeError('anna@mail.example');
    await expect(inSpan({ name: 'step' }, () => Promise.reject(failure))).rejects.toBe(failure);
    const [span] = exporter.getFinishedSpans();
    expect(span?.status).toEqual({ code: SpanStatusCode.ERROR, message: 'TypeError' });
    expect(JSON.stringify([span?.attributes, span?.events])).not.toContain('anna');
  });

  it('log lines contain the trace id', async () => {
    const lines: string[] = [];
    const logger = createLogger('test', 'info', { write: (line) => void lines.push(line) });
    await inSpan({ name: 'step', within: traceOf({ traceparent: remote }) }, () =>
      Promise.resolve(logger.info('within')),
    );
    logger.info('without');
    const parsed = lines.map((line) => JSON.parse(line) as { trace_id?: string });
    expect(parsed.map(({ trace_id }) => trace_id)).toEqual(['0af7651916cd43dd8448eb211c80319c', undefined]);
  });
});
