import { createServer, type Server } from 'node:http';
import { measureHealth, type Health } from './health.ts';
import type { Metrics } from './metrics.ts';

type Answer = { status: number; type: string; body: string };

const json = (status: number, body: unknown): Answer => ({
  status,
  type: 'application/json',
  body: JSON.stringify(body),
});

/** Creates the server of /health/live, /health/ready and /metrics. It has its own port, which is never public. */
export function createManagementServer(health: Health, metrics: Metrics): Server {
  measureHealth(health, metrics.registry);
  const routes: Record<string, () => Promise<Answer>> = {
    '/health/live': () => Promise.resolve(json(200, { live: true })),
    '/health/ready': async () => {
      const report = await health.report();
      return json(report.ready ? 200 : 503, report);
    },
    '/metrics': async () => ({
      status: 200,
      type: metrics.registry.contentType,
      body: await metrics.registry.metrics(),
    }),
  };
  return createServer((request, response) => {
    const path = request.url?.split('?')[0] ?? '';
    const route = request.method === 'GET' ? routes[path] : undefined;
    const answer = route?.() ?? Promise.resolve(json(404, { fail: 'Not Found' }));
    answer
      .catch(() => json(500, { fail: 'Internal Server Error' }))
      .then(({ status, type, body }) => response.writeHead(status, { 'Content-Type': type }).end(body))
      .catch(() => response.destroy());
  });
}
