import { listenLocally } from '@covalence/testing/listen-locally';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { z } from 'zod';

const exportSchema = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({
        attributes: z.array(
          z.object({ key: z.string(), value: z.object({ stringValue: z.string().optional() }) }),
        ),
      }),
      scopeSpans: z.array(
        z.object({
          scope: z.object({ name: z.string() }),
          spans: z.array(
            z.object({
              traceId: z.string(),
              spanId: z.string(),
              parentSpanId: z.string().optional(),
              name: z.string(),
              attributes: z
                .array(z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) }))
                .transform((all) =>
                  Object.fromEntries(all.map(({ key, value }) => [key, Object.values(value)[0]])),
                ),
            }),
          ),
        }),
      ),
    }),
  ),
});

/** A finished span of a service. */
interface CollectedSpan {
  readonly service: string;
  /** The service. */
  readonly scope: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string | undefined;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** An OpenTelemetry collector that stores spans (OTLP over HTTP, JSON). */
export async function startTraceCollector() {
  const spans: CollectedSpan[] = [];
  const keep = (body: unknown): void => {
    for (const { resource, scopeSpans } of exportSchema.parse(body).resourceSpans) {
      const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? '';
      for (const { scope, spans: ended } of scopeSpans)
        spans.push(...ended.map((span) => ({ service, scope: scope.name, ...span })));
    }
  };
  const server = createServer((request, response) => {
    json(request)
      .then(keep)
      .then(() => response.setHeader('Content-Type', 'application/json').end('{}'))
      .catch(() => response.writeHead(400).end());
  });
  return {
    url: `http://127.0.0.1:${await listenLocally(server)}`,
    spans,
    close: () => void server.close(),
  };
}

/** A running collector. */
export type TraceCollector = Awaited<ReturnType<typeof startTraceCollector>>;
