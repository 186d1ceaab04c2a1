import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { applyCharge } from '../../src/memberships/settle-payment.ts';
import { startService, type ServiceUnderTest } from '../harness.ts';

let billing: ServiceUnderTest;
beforeAll(async () => {
  billing = await startService('webhook');
});
afterAll(() => billing.close());

/** Buys with a receipt and returns the key that the provider knows the payment by. */
const buy = async (id: number, receipt: string): Promise<string> => {
  const body = { package_id: 1, rate_id: 11, receipt };
  expect((await billing.post('/packages/purchase', body, { id })).status).toBe(200);
  return String((await billing.charged(id)).charges[0]?._id);
};
const status = async (member: number) => (await billing.context.memberships.find(member))?.status;
const amounts = async (member: number) =>
  (await billing.context.ledger.of(member)).map(({ kind, amount }) => [kind, amount]);

describe('POST /packages/webhook/{provider}', () => {
  it('settles a delayed payment once, even if repeated', async () => {
    const key = await buy(1, 'delay:1');
    expect(await status(1)).toBeUndefined();
    const answers = await Promise.all(Array.from({ length: 6 }, () => billing.hook(key)));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    await billing.hook(key).expect(200, {});
    expect(await status(1)).toBe('active');
    expect(await amounts(1)).toEqual([['purchase', 3000]]);
    const found = await billing.context.memberships.find(1);
    expect(found?.expires_at.toISOString()).toBe('2026-07-15T12:00:00.000Z');
  });

  it('ends a membership once after a chargeback', async () => {
    const key = await buy(2, 'chargeback:2');
    expect(await status(2)).toBe('active');
    await Promise.all([billing.hook(key), billing.hook(key)]);
    await billing.hook(key).expect(200);
    expect(await status(2)).toBe('none');
    expect(await amounts(2)).toEqual([
      ['purchase', 3000],
      ['refund', -3000],
    ]);
    expect((await billing.charged(2)).held).toBe(0);
  });

  it('applies a refund that arrives before its payment', async () => {
    const key = await buy(3, 'delay:3');
    await billing.provider.find(key);
    await billing.provider.refund(key);
    await billing.hook(key).expect(200);
    expect(await status(3)).toBe('none');
    const lines = await amounts(3);
    expect(lines).toHaveLength(2);
    expect(lines).toEqual(
      expect.arrayContaining([
        ['purchase', 3000],
        ['refund', -3000],
      ]),
    );
  });

  it('undoes nothing when a late webhook has a state from before a refund', async () => {
    const key = await buy(4, 'delay:4');
    const [open, before] = [await billing.context.payments.find(key), await billing.provider.find(key)];
    if (!open || !before) throw new Error('no payment');
    await billing.provider.refund(key);
    await billing.hook(key).expect(200);
    const refunded = await billing.context.memberships.find(4);
    await applyCharge(open, before, billing.context);
    expect(await billing.context.memberships.find(4)).toEqual(refunded);
    expect((await billing.context.payments.find(key))?.state).toBe('refunded');
    expect(await amounts(4)).toHaveLength(2);
  });

  it('ignores unknown payments', async () => {
    const { status: code, body } = await billing.hook('somebody else');
    expect([code, body]).toEqual([200, {}]);
  });

  it.each(['2026-06-15T11:55:00Z', '2026-06-15T12:05:00Z'])(
    'takes a signature of up to five minutes before or after: %s',
    async (at) => {
      expect((await billing.hook('somebody else', { at: new Date(at) })).status).toBe(200);
    },
  );

  it.each([
    ['another secret', { secret: 'another secret, just as long as the first' }, 403],
    ['a signature of more than five minutes ago', { at: new Date('2026-06-15T11:54:59Z') }, 403],
    ['a signature of the future', { at: new Date('2026-06-15T12:05:01Z') }, 403],
    ['another provider', { provider: 'nobody' }, 404],
  ])('refuses %s', async (_case, options, expected) => {
    expect((await billing.hook('x', options)).status).toBe(expected);
  });

  it('refuses a missing signature, a signature of another body, and an invalid body', async () => {
    const path = '/packages/webhook/sandbox';
    const { body: plain, status: without } = await billing.request.post(path).send({ key: 'x' });
    expect([without, plain]).toEqual([403, { fail: 'Forbidden' }]);
    expect((await billing.hook('x', { signs: 'y' })).status).toBe(403);
    expect((await billing.hook('')).status).toBe(400);
  });
});
