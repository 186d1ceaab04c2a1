import { createLogger } from '@covalence/runtime/logger';
import { createMetrics } from '@covalence/runtime/metrics';
import { createTestTokens } from '@covalence/testing/test-tokens';
import { describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { z } from 'zod';
import { endpoint } from '../src/endpoint.ts';
import { createServiceApp } from '../src/mount.ts';
import { byPath } from '../src/route-order.ts';
import { documentation } from './documentation.ts';

/** An endpoint that answers its own route. */
const named = (route: string) =>
  endpoint({
    access: 'public',
    ...documentation,
    summary: 'Its route',
    input: z.object({}),
    output: z.object({ route: z.string() }),
    handler: () => Promise.resolve({ route }),
  });

describe('routes that match the same request', () => {
  const table = [
    'GET /pets/:id',
    'GET /pets/:id/:part',
    'GET /pets/:id/photos',
    'GET /pets/mine/:part',
    'GET /pets/mine/photos',
    'GET /pets/summary',
  ] as const;

  it.each([
    ['/pets/summary', 'GET /pets/summary'],
    ['/pets/7', 'GET /pets/:id'],
    ['/pets/mine/photos', 'GET /pets/mine/photos'],
    ['/pets/mine/notes', 'GET /pets/mine/:part'],
    ['/pets/7/photos', 'GET /pets/:id/photos'],
    ['/pets/7/notes', 'GET /pets/:id/:part'],
  ])('are tried narrowest first, in whatever order they are listed: %s', async (path, route) => {
    const { bearer } = await createTestTokens();
    for (const routes of [table, table.toReversed()]) {
      const app = createServiceApp(Object.fromEntries(routes.map((one) => [one, named(one)])), null, {
        logger: createLogger('test', 'fatal'),
        metrics: createMetrics('test'),
        bearer,
        checkOutput: true,
      });
      const { body } = await request(app).get(path).expect(200);
      expect(body).toEqual({ route });
    }
  });

  it('of the gateway come in the same order, and those of several segments last', () => {
    const patterns = ['/pets/*', '/pets/{id}', '/pets/{id}/*', '/pets/{id}/{part}', '/pets/mine'];
    expect(patterns.toSorted(byPath)).toEqual([
      '/pets/mine',
      '/pets/{id}',
      '/pets/{id}/{part}',
      '/pets/{id}/*',
      '/pets/*',
    ]);
  });
});
