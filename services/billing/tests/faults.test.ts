import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { imported, startBilling, type Billing } from './harness.ts';

let billing: Billing;
beforeAll(async () => {
  billing = await startBilling('billing-faults');
  await billing.context.start();
});
afterAll(() => billing.close());

const ready = async () => (await billing.context.health.report()).ready;

describe('while the database is away', () => {
  it('answers 503 with Retry-After and is not ready; afterwards all is well again by itself', async () => {
    billing.database.cut();
    const { status, body, headers } = await billing.packages();
    expect([status, body]).toEqual([503, { fail: 'Service Unavailable' }]);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect((await billing.import([imported(1)])).status).toBe(503);
    expect(await ready()).toBe(false);

    billing.database.restore();
    await until('packages again', async () => (await billing.packages()).status === 200);
    expect((await billing.import([imported(1)])).status).toBe(200);
    await until('ready again', ready);
  });

  it('refuses bad parameters and bad tokens as ever', async () => {
    billing.database.cut();
    expect((await billing.packages({ app_id: 'alone' })).status).toBe(403);
    expect((await billing.request.get('/packages')).status).toBe(401);
    billing.database.restore();
    await until('ready again', ready);
  });
});

describe('while the broker is away', () => {
  it('memberships are taken, and told of once it is back', async () => {
    billing.events.cut();
    await until('the broker lost', async () => !(await ready()));
    expect((await billing.import([imported(21), imported(22)])).status).toBe(200);
    expect(billing.told.some(({ member }) => member > 20)).toBe(false);

    billing.events.restore();
    await until('both told', () => {
      const members = new Set(billing.told.map(({ member }) => member));
      return members.has(21) && members.has(22);
    });
  });
});
