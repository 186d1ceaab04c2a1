import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testServiceKeys } from '@covalence/testing/service-tokens';
import { configSchema } from '../../src/config.ts';
import { imported, replacing, startService, type ServiceUnderTest } from '../harness.ts';
import { createLogger } from '@covalence/runtime/logger';

const offer = { package_id: 1, rate_id: 11 };
const staff = { id: 0, memberId: '018f4a3e-0000-7000-8000-000000000001', siteid: 0, scope: 'staff' };

describe('a payment that neither succeeds nor fails', () => {
  let billing: ServiceUnderTest;
  beforeAll(async () => {
    billing = await startService('hanging');
  });
  afterAll(() => billing.close());

  it('is named to operators after an hour, with its member', async () => {
    for (const [minute, id] of [7, 8, 9].entries()) {
      billing.time.now = new Date(Date.UTC(2026, 5, 15, 12, minute));
      const order = { ...offer, receipt: `delay:${id}` };
      const { body } = await billing.post('/packages/purchase', order, { id });
      expect(body).toMatchObject({ status: 'pending' });
    }
    const ask = async () => billing.internal('/internal/operations/status', {});
    const { body } = await billing.at('2026-06-15T13:01:30Z', ask);
    expect(body.payments).toEqual({ hanging: 2, oldest: '2026-06-15T12:00:00.000Z', members: [7, 8] });
  });
});

describe('without a payment provider', () => {
  let billing: ServiceUnderTest;
  beforeAll(async () => {
    billing = await startService('no-provider', { config: { PAYMENT_PROVIDERS: [] } });
  });
  afterAll(() => billing.close());

  /** A charge that the sandbox made before it was taken off the list. */
  const charged = (key: string, member: number) =>
    billing.context.connection
      .collection<{ _id: string; [name: string]: unknown }>('sandbox-charges')
      .insertOne({
        _id: key,
        reference: `sandbox_${member}`,
        member,
        amount: 3000,
        currency: 'USD',
        receipt: 'good',
        status: 'paid',
        refunded: 0,
      });

  /** A purchase that the sandbox was to take. */
  const payment = (member: number, state: 'open' | 'paid') => ({
    key: `${member}:purchase:auto:0:0`,
    member,
    kind: 'purchase' as const,
    ...offer,
    days: 30,
    amount: 3000,
    currency: 'USD',
    provider: 'sandbox',
    state,
    at: billing.time.now,
    look_at: billing.time.now,
  });

  it('packages are listed, but nothing can be purchased', async () => {
    const { status, body } = await billing.packages();
    expect([status, body.packages.length, body.can_purchase]).toEqual([200, 4, false]);
    const orders = [
      offer,
      { ...offer, receipt: 'delay:1' },
      { package_id: 2, rate_id: 21, promo_code: 'TRIAL' },
    ];
    for (const order of orders) {
      const refused = await billing.post('/packages/purchase', order, { id: 1 });
      expect([refused.status, refused.body]).toEqual([403, { fail: 'Purchase Not Possible' }]);
    }
    const unknown = await billing.post('/packages/purchase', { ...offer, rate_id: 99 }, { id: 1 });
    expect(unknown.body).toEqual({ fail: 'Invalid Argument' });
    expect(await billing.context.memberships.find(1)).toBeUndefined();
    expect(await billing.context.payments.of(1)).toEqual([]);
  });

  it('a webhook of an unlisted provider is 404 and settles nothing', async () => {
    const open = payment(2, 'open');
    await billing.context.payments.open(open);
    await charged(open.key, 2);
    expect((await billing.hook(open.key)).status).toBe(404);
    expect(await billing.context.memberships.find(2)).toBeUndefined();
  });

  it('an open payment stays open and is not charged', async () => {
    const open = payment(3, 'open');
    await billing.context.payments.open(open);
    await billing.moveTo('2026-06-15T12:30:00Z');
    expect((await billing.context.payments.find(open.key))?.state).toBe('open');
    expect((await billing.charged(3)).charges).toEqual([]);
  });

  it('a refund of its payments is refused with the reason', async () => {
    const paid = payment(4, 'paid');
    await billing.context.payments.open(paid);
    const refund = { refund: paid.key, reason: 'Asked for' };
    const { status, body } = await billing.post('/staff/memberships/4/correct', refund, staff);
    expect([status, body]).toEqual([403, { fail: 'Payment Provider Not Listed' }]);
  });

  it('erasing a member deletes their data in the sandbox', async () => {
    await charged('5:purchase:auto:0:0', 5);
    await billing.internal('/internal/members/erase', { id: 5, member_id: staff.memberId }).expect(200);
    expect((await billing.charged(5)).charges).toEqual([]);
  });

  it('a membership is not renewed: it is inactive for two weeks, then ends, and is not charged', async () => {
    await billing.import([imported(6)]).expect(200);
    const source = { provider: 'sandbox', reference: 'sandbox_6', currency: 'USD' };
    await billing.context.connection
      .collection<{ _id: number }>('memberships')
      .updateOne({ _id: 6 }, { $set: { source, due_at: new Date('2026-06-30T23:00:00Z') } });
    const status = async () => (await billing.context.memberships.find(6))?.status;
    await billing.moveTo('2026-06-30T23:30:00Z');
    expect(await status()).toBe('active');
    await billing.moveTo('2026-07-02T00:00:00Z');
    expect(await status()).toBe('inactive');
    await billing.moveTo('2026-07-15T00:00:00Z');
    expect(await status()).toBe('none');
    expect((await billing.charged(6)).charges).toEqual([]);
    expect(await billing.context.payments.of(6)).toEqual([]);
  });
});

describe('a provider that becomes listed again', () => {
  it('renews waiting memberships within the two weeks', async () => {
    const billing = await startService('listed-again');
    await billing.post('/packages/purchase', offer, { id: 1 });
    const { providers } = billing.context;
    const unlisted = { providers: { ...providers, current: undefined, names: [], find: () => undefined } };
    await replacing(
      billing.context,
      () => unlisted,
      () => billing.moveTo('2026-07-16T12:00:00Z'),
    );
    expect((await billing.context.memberships.find(1))?.status).toBe('inactive');
    await billing.moveTo('2026-07-18T12:00:00Z');
    const found = await billing.context.memberships.find(1);
    expect([found?.status, found?.expires_at]).toEqual(['active', new Date('2026-08-17T12:00:00Z')]);
    expect((await billing.charged(1)).held).toBe(6000);
    await billing.close();
  });
});

describe('the list of providers', () => {
  const settings = {
    PORT: '0',
    MANAGEMENT_PORT: '0',
    ...testServiceKeys('billing'),
    SITES_FILE: new URL('../../../../config/sites.json', import.meta.url).pathname,
    PUBLIC_URL: 'https://api.example',
    AUTH_URL: 'http://auth:3000',
    PROFILE_URL: 'http://profile:3000',
    MONGODB_URL: 'mongodb://localhost',
    RABBITMQ_URL: 'amqp://localhost',
  };
  const parsed = (given: object) => configSchema.safeParse({ ...settings, ...given });
  const production = { NODE_ENV: 'production', PAYMENT_PROVIDERS: 'sandbox' };

  it('is empty by default, and accepts only known names', () => {
    expect(parsed({}).data?.PAYMENT_PROVIDERS).toEqual([]);
    expect(parsed({ PAYMENT_PROVIDERS: ' sandbox , ' }).data?.PAYMENT_PROVIDERS).toEqual(['sandbox']);
    expect(parsed({ PAYMENT_PROVIDERS: 'sandbox,stripe' }).success).toBe(false);
  });

  it('may contain the sandbox in production only if that is allowed explicitly', () => {
    const [issue, ...more] = parsed(production).error?.issues ?? [];
    expect([issue?.path, more]).toEqual([['PAYMENT_PROVIDERS'], []]);
    expect(issue?.message).toContain('ALLOW_SANDBOX_PAYMENTS=true');
    expect(parsed({ ...production, ALLOW_SANDBOX_PAYMENTS: 'false' }).success).toBe(false);
    expect(parsed({ ...production, ALLOW_SANDBOX_PAYMENTS: 'true' }).success).toBe(true);
    expect(parsed({ ...production, NODE_ENV: 'test' }).success).toBe(true);
  });

  it('with an allowed sandbox in production shows a warning in health and log', async () => {
    const lines: string[] = [];
    const logger = createLogger('test', 'warn', { write: (line) => void lines.push(line) });
    const allowed = { NODE_ENV: 'production', ALLOW_SANDBOX_PAYMENTS: true };
    const billing = await startService('allowed-sandbox', { config: allowed, overrides: { logger } });
    const warning = 'sandbox payments are allowed in production: members pay nothing';
    expect((await billing.context.health.report()).warnings).toEqual([warning]);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toContainEqual(
      expect.objectContaining({ level: 40, msg: warning }),
    );
    await billing.close();
  });
});
