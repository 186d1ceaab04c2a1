import { createLogger } from '@covalence/runtime/logger';
import { startTraceExport } from '@covalence/runtime/trace-export';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import request from 'supertest';
import { until } from '@covalence/testing/until';
import { gatewayForEach } from '../support/gateway-for-each.ts';

const start = gatewayForEach();
const nobody = 'http://127.0.0.1:1';
let traces: ReturnType<typeof startTraceExport>;

beforeAll(() => {
  traces = startTraceExport({ service: 'gateway', endpoint: nobody, ratio: 1 });
});
afterAll(() => traces.close().catch(() => undefined));

it('logs the trace id of a request', async () => {
  const lines: { msg: string; request_id?: string; trace_id?: string }[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[number]);
  const { url } = await start({
    environment: { AUTH_URL: nobody },
    overrides: { logger: createLogger('gateway', 'debug', { write }) },
  });
  await request(url).get('/jwks').set('X-Request-Id', 'traced-1').expect(503);
  const named = (msg: string) =>
    until(msg, () => lines.find((line) => line.request_id === 'traced-1' && line.msg === msg));
  const { trace_id: id } = await named('Service Unavailable');
  expect(id).toMatch(/^[0-9a-f]{32}$/);
  expect((await named('request')).trace_id).toBe(id);
});
