import { createLogger } from '@covalence/runtime/logger';
import { createMetrics } from '@covalence/runtime/metrics';
import { expect, it } from '@jest/globals';
import request from 'supertest';
import { createBareApp, mountErrors } from '../src/mount.ts';

it('a service measures every request by its matched route, even outside of its table', async () => {
  const metrics = createMetrics('test');
  const app = createBareApp(metrics);
  app.get('/files/:name', (_request, response) => void response.json({}));
  app.get('/broken', () => {
    throw new TypeError('a private detail');
  });
  mountErrors(app, createLogger('test', 'silent'));
  const server = app.listen(0);
  for (const path of ['/files/one', '/files/two', '/broken', '/nowhere']) await request(server).get(path);
  server.close();
  const { values } = await metrics.requests.get();
  const counted = values.filter(({ metricName }) => metricName?.endsWith('_count'));
  expect(counted.map(({ labels, value }) => [labels.route, labels.status, value])).toEqual([
    ['/files/:name', '200', 2],
    ['/broken', '500', 1],
    ['none', '404', 1],
  ]);
});
