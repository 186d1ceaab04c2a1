import { describe, expect, it } from '@jest/globals';
import { agreementOf } from '../../src/judgments/agreement.ts';

/** The ratings by four observers of twelve units in Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011). */
const observers = [
  [1, 2, 3, 3, 2, 1, 4, 1, 2, 0, 0, 0],
  [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, 0, 3],
  [0, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 0],
  [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, 0],
];
const units = Array.from({ length: 12 }, (_, unit) =>
  // 0 is a unit that the observer did not rate.
  observers.flatMap((ratings) => ratings[unit] || []),
);

describe('the agreement of raters', () => {
  it('is Krippendorff’s alpha of ordered grades: 0.815 in his example', () => {
    expect(agreementOf(units)).toBeCloseTo(0.815, 3);
  });

  it('is 1 where all agree, and below 0 where they agree less than by chance', () => {
    expect(agreementOf([[0, 0], [3, 3, 3], [1]])).toBe(1);
    expect(
      agreementOf([
        [0, 3],
        [3, 0],
      ]),
    ).toBeLessThan(0);
  });

  it('is unknown without two ratings of a result, and where everything has one grade', () => {
    expect(agreementOf([])).toBeUndefined();
    expect(agreementOf([[1], [2]])).toBeUndefined();
    expect(
      agreementOf([
        [2, 2],
        [2, 2, 2],
      ]),
    ).toBeUndefined();
  });
});
