import { listen } from '@covalence/runtime/lifecycle';
import { allUp } from '@covalence/testing/all-up';
import { until } from '@covalence/testing/until';
import { testServiceKeys } from '@covalence/testing/service-tokens';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { PaymentProvider } from '../src/payments/provider.ts';
import { imported, replacing, startService, type ServiceUnderTest } from './harness.ts';

let billing: ServiceUnderTest;
beforeAll(async () => {
  billing = await startService('billing-faults');
  billing.start();
});
afterAll(() => billing.close());

const ready = async () => (await billing.context.health.report()).ready;

describe('while the database is down', () => {
  it('answers 503 with Retry-After and is not ready, and recovers', async () => {
    billing.database.cut();
    const [{ status, body, headers }, written] = await Promise.all([
      billing.packages(),
      billing.import([imported(1)]),
    ]);
    expect([status, body]).toEqual([503, { fail: 'Service Unavailable' }]);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(written.status).toBe(503);
    expect(await ready()).toBe(false);

    billing.database.restore();
    await until('packages again', async () => (await billing.packages()).status === 200);
    expect((await billing.import([imported(1)])).status).toBe(200);
    await until('ready again', ready);
  });

  it('still refuses invalid parameters and tokens', async () => {
    billing.database.cut();
    expect((await billing.packages({ app_id: 'alone' })).status).toBe(403);
    expect((await billing.request.get('/packages')).status).toBe(401);
    billing.database.restore();
    await until('ready again', ready);
  });
});

describe('while the broker is down', () => {
  it('is ready, stores memberships, and publishes their events when it is up again', async () => {
    billing.events.cut();
    await until('the broker lost', async () => !(await allUp(billing.context.health)));
    expect(await billing.context.health.report()).toMatchObject({
      ready: true,
      checks: { rabbitmq: 'down' },
    });
    expect((await billing.import([imported(21), imported(22)])).status).toBe(200);
    expect(billing.told.some(({ member }) => member > 20)).toBe(false);

    billing.events.restore();
    await until('both told', () => {
      const members = new Set(billing.told.map(({ member }) => member));
      return members.has(21) && members.has(22);
    });
  });
});

/** A store that takes connections and says nothing, which keeps a caller longest. */
async function silentStore() {
  const server = createServer();
  server.removeAllListeners('connection');
  const taken: Socket[] = [];
  server.on('connection', (socket: Socket) => taken.push(socket));
  const port = await listen(server, 0, '127.0.0.1');
  const close = () => {
    server.close();
    // Nobody reads them, so that they would never end, nor the process that runs the tests.
    for (const socket of taken) socket.destroy();
  };
  return { port, close };
}

describe('a process that never connected to its stores', () => {
  it('stops on SIGTERM', async () => {
    const { port, close } = await silentStore();
    const main = join(import.meta.dirname, '../src/main.ts');
    const child = spawn(process.execPath, ['--conditions=source', '--no-warnings', main], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        PATH: process.env['PATH'],
        PORT: '0',
        MANAGEMENT_PORT: '0',
        NAMESPACE: 'silent',
        PUBLIC_URL: 'http://api.test',
        AUTH_URL: 'http://auth.test',
        PROFILE_URL: 'http://profile.test',
        ...testServiceKeys('billing'),
        SITES_FILE: join(import.meta.dirname, '../../../config/sites.json'),
        MONGODB_URL: `mongodb://127.0.0.1:${port}`,
        RABBITMQ_URL: `amqp://127.0.0.1:${port}`,
      },
    });
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await until('it listens', () => said.includes('"listening"'));
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    expect([await ended, said]).toEqual([[0, null], expect.not.stringContaining('took too long')]);
    close();
  });
});

describe('a process that shuts down', () => {
  it('finishes running renewals and leaves the others to other processes', async () => {
    const ending = await startService('billing-ending');
    const { time } = ending;
    const members = Array.from({ length: 25 }, (_, index) => index + 1);
    for (const id of members) await ending.post('/packages/purchase', { package_id: 1, rate_id: 11 }, { id });
    time.now = new Date('2026-07-15T11:00:00Z');
    const gate = Promise.withResolvers<void>();
    const charged: number[] = [];
    const held = (own: PaymentProvider): Partial<PaymentProvider> => ({
      async charge(asked) {
        charged.push(asked.member);
        await gate.promise;
        return own.charge(asked);
      },
    });
    await replacing(ending.provider, held, async () => {
      const background = ending.start();
      await until('ten at once', () => charged.length === 10);
      const closed = background.close();
      gate.resolve();
      await closed;
    });
    expect(charged).toHaveLength(10);
    await ending.moveTo('2026-07-15T11:00:00Z');
    expect((await ending.charged(25)).held).toBe(6000);
    await ending.close();
  });
});

it('a renewal whose provider cannot be called is counted as failed', async () => {
  const failing = await startService('billing-failing', { config: { EXPIRY_POLL_MS: 60_000 } });
  const { context, time } = failing;
  await failing.post('/packages/purchase', { package_id: 1, rate_id: 11 }, { id: 1 });
  time.now = new Date('2026-07-15T11:00:00Z');
  const failed = async () => (await context.metrics.failedRounds.get()).values;
  await failing.whileAway(async () => {
    failing.start();
    await until('a round', async () => (await failed()).length > 0);
  });
  expect(await failed()).toEqual([{ labels: { work: 'expiry' }, value: 1 }]);
  await failing.close();
});
