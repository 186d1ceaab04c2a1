import { describe, expect, it } from '@jest/globals';
import { atStripe, minorOf } from '../../../src/stores/stripe/stripe-state.ts';

describe('amounts of Stripe', () => {
  it.each([
    ['usd', 2_999, 2_999],
    ['jpy', 500, 500],
    ['kwd', 12_340, 12_340],
    // Stripe counts hundredths of what has none, and whole units of what has some.
    ['isk', 50_000, 500],
    ['ugx', 50_000, 500],
    ['mga', 500, 50_000],
  ])('in %s are those of ISO 4217 on our side', (code, stripe, iso) => {
    const currency = code.toUpperCase();
    expect(minorOf(stripe, code)).toEqual({ amount: iso, currency });
    expect(atStripe({ amount: iso, currency })).toEqual({ unit_amount: stripe, currency: code });
  });
});
