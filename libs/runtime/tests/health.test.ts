import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { createHealth, type Health } from '../src/health.ts';
import { listen } from '../src/lifecycle.ts';
import { createManagementServer } from '../src/management.ts';
import { createMetrics, type Metrics } from '../src/metrics.ts';

const up = () => Promise.resolve('PONG');
const down = () => Promise.reject(new Error('away'));

describe('health', () => {
  it('is ready when every check passes', async () => {
    const health = createHealth();
    health.add('one', up);
    health.add('two', up);
    expect(await health.report()).toEqual({ ready: true, checks: { one: 'up', two: 'up' } });
  });

  it.each([
    ['rejects', down],
    [
      'throws at once',
      () => {
        throw new Error('away');
      },
    ],
    ['does not answer in 2 s', () => new Promise<never>(() => undefined)],
  ])('is not ready when one %s; the others are still reported', async (_case, check) => {
    const health = createHealth();
    health.add('good', up);
    health.add('bad', check);
    expect(await health.report()).toEqual({ ready: false, checks: { good: 'up', bad: 'down' } });
  });

  it('reports failed optional checks, and is still ready', async () => {
    const health = createHealth();
    health.add('good', up);
    health.addOptional('bad', down);
    expect(await health.report()).toEqual({ ready: true, checks: { good: 'up', bad: 'down' } });
  });

  it('is not ready as soon as a shutdown begins', async () => {
    const health = createHealth();
    health.accepting = false;
    expect((await health.report()).ready).toBe(false);
  });
});

describe('the management server', () => {
  let server: Server;
  let health: Health;
  let metrics: Metrics;

  beforeAll(async () => {
    health = createHealth();
    metrics = createMetrics('test');
    server = createManagementServer(health, metrics);
    await listen(server, 0, '127.0.0.1');
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const get = async (path: string, method = 'GET') => {
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method });
    return { status: response.status, body: await response.text() };
  };

  it('is always live, and ready when the stores answer', async () => {
    expect((await get('/health/ready')).status).toBe(200);
    health.add('store', down);
    expect((await get('/health/live')).status).toBe(200);
    const ready = await get('/health/ready?verbose');
    expect([ready.status, JSON.parse(ready.body)]).toEqual([
      503,
      { ready: false, checks: { store: 'down' } },
    ]);
  });

  it('serves metrics in the Prometheus format, labeled with the service', async () => {
    metrics.events.inc({ type: 'member.updated', outcome: 'published' }, 3);
    expect((await get('/metrics')).body).toContain(
      'events_total{type="member.updated",outcome="published",service="test"} 3',
    );
  });

  it('exposes each check as a metric', async () => {
    let state: () => Promise<string> = down;
    health.addOptional('other store', () => state());
    expect((await get('/metrics')).body).toContain('health_check_up{check="other store",service="test"} 0');
    state = up;
    expect((await get('/metrics')).body).toContain('health_check_up{check="other store",service="test"} 1');
  });

  it('answers 404 on other paths', async () => {
    expect((await get('/')).status).toBe(404);
    expect((await get('/metrics', 'POST')).status).toBe(404);
    expect((await get('/constructor')).status).toBe(404);
  });

  it('rejects when its port is taken', async () => {
    const { port } = server.address() as AddressInfo;
    const second = createManagementServer(createHealth(), createMetrics('second'));
    await expect(listen(second, port, '127.0.0.1')).rejects.toThrow('EADDRINUSE');
  });
});
