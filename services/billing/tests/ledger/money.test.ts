import { fuzzing } from '@covalence/testing/fuzzing';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { divideRounded, moneyView, percentOf, perMonth } from '../../src/ledger/money.ts';

const amounts = fc.integer({ min: 0, max: 100_000_000 });
const days = fc.integer({ min: 1, max: 3_660 });

describe('money', () => {
  it.each([
    [0, 3, 0],
    [1, 3, 0],
    [1, 2, 1],
    [2, 3, 1],
    [5, 2, 3],
    [149, 100, 1],
    [150, 100, 2],
    [99_999_999, 1, 99_999_999],
  ])('rounds %d / %d to %d, halves up', (numerator, denominator, quotient) => {
    expect(divideRounded(numerator, denominator)).toBe(quotient);
  });

  it('rounds to the nearest integer exactly', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3_660 * 100_000_000 }), days, (numerator, denominator) => {
        const [n, d] = [BigInt(numerator), BigInt(denominator)];
        expect(divideRounded(numerator, denominator)).toBe(Number((2n * n + d) / (2n * d)));
      }),
      fuzzing(),
    );
  });

  it('counts 30 days as a month', () => {
    expect(perMonth(2999, 30)).toBe(2999);
    expect(perMonth(14_388, 365)).toBe(1183);
    fc.assert(
      fc.property(amounts, (amount) => expect(perMonth(amount, 30)).toBe(amount)),
      fuzzing(),
    );
  });

  it('returns integer percent, and 0 of 0', () => {
    expect(percentOf(1, 3)).toBe(33);
    expect(percentOf(2, 3)).toBe(67);
    expect(percentOf(5, 0)).toBe(0);
    fc.assert(
      fc.property(amounts, (amount) => expect(percentOf(amount, amount)).toBe(amount ? 100 : 0)),
      fuzzing(),
    );
  });

  it.each([
    ['en_US', 'USD', 2999, 29.99, '$29.99'],
    ['de_DE', 'USD', 123_456, 1234.56, '1.234,56\u00a0$'],
    ['es_ES', 'USD', 2999, 29.99, '29,99\u00a0US$'],
    ['en_US', 'JPY', 500, 500, '¥500'],
    ['en_US', 'KWD', 12_345, 12.345, 'KWD\u00a012.345'],
    ['hu_HU', 'HUF', 499_000, 4990, '4990\u00a0Ft'],
    ['en_US', 'HUF', 499_050, 4990.5, 'HUF\u00a04,990.5'],
    ['en_US', 'USD', 0, 0, '$0.00'],
  ])('shows %s %s %d as %d and %s', (locale, currency, amount, number, text) => {
    const view = moneyView(locale, currency);
    expect(view.number(amount)).toBe(number);
    expect(view.text(amount)).toBe(text);
  });

  it('shows no more decimals than the currency has', () => {
    const view = moneyView('en_US', 'USD');
    fc.assert(
      fc.property(amounts, (amount) => {
        const number = view.number(amount);
        expect(Math.round(number * 100)).toBe(amount);
        expect(String(number)).toMatch(/^\d+(\.\d{1,2})?$/);
      }),
      fuzzing(),
    );
  });
});
