import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { promo } from '../fixtures.ts';
import { startService, type ServiceUnderTest } from '../harness.ts';

let billing: ServiceUnderTest;
beforeAll(async () => {
  billing = await startService('redemptions');
});
afterAll(() => billing.close());

const redeem = (code: string, member: number, purchase = 'p1') =>
  billing.context.redemptions.redeem({ promo: promo(code), member, purchase, at: billing.time.now });
const outcomes = async (tries: Promise<string>[]) => (await Promise.all(tries)).sort();

describe('redeeming a promo code', () => {
  it('counts once for concurrent calls of one member', async () => {
    const tries = Array.from({ length: 10 }, (_, index) => redeem('ONCE', 5, `p${index}`));
    expect(await outcomes(tries)).toEqual(['redeemed', ...Array.from({ length: 9 }, () => 'used')]);
    expect(await billing.context.redemptions.usage(promo('ONCE'), 5)).toEqual({
      usedByMember: true,
      uses: 0,
    });
    expect(await billing.context.redemptions.usage(promo('ONCE'), 6)).toMatchObject({ usedByMember: false });
  });

  it('never exceeds the total uses in concurrent calls of many members', async () => {
    const tries = Array.from({ length: 12 }, (_, index) => redeem('FEW', 100 + index));
    expect(await outcomes(tries)).toEqual([
      ...Array.from({ length: 3 }, () => 'redeemed'),
      ...Array.from({ length: 9 }, () => 'used_up'),
    ]);
    expect(await billing.context.redemptions.usage(promo('FEW'), 1)).toEqual({
      usedByMember: false,
      uses: 3,
    });
  });

  it('of a code without limits works for every purchase', async () => {
    expect(await redeem('HALF', 5, 'p1')).toBe('redeemed');
    expect(await redeem('HALF', 5, 'p2')).toBe('redeemed');
  });

  it('counts once per purchase, even if repeated', async () => {
    const tries = Array.from({ length: 5 }, () => redeem('LAST', 7, 'p1'));
    expect(await outcomes(tries)).toEqual(Array.from({ length: 5 }, () => 'redeemed'));
    expect(await billing.context.redemptions.usage(promo('LAST'), 7)).toEqual({
      usedByMember: true,
      uses: 1,
    });
    expect(await redeem('LAST', 7, 'p1')).toBe('redeemed');
  });

  // Purchases have names of their own here: those of the first test may have won as any of ten.
  it('is released by its failed purchase, and by no other', async () => {
    expect(await redeem('ONCE', 8, 'first')).toBe('redeemed');
    await billing.context.redemptions.release('ONCE', 'second');
    expect(await redeem('ONCE', 8, 'third')).toBe('used');
    await billing.context.redemptions.release('ONCE', 'first');
    expect(await redeem('ONCE', 8, 'third')).toBe('redeemed');
  });
});
