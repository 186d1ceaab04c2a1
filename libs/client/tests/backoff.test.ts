import { describe, expect, it } from '@jest/globals';
import { createBackoff } from '../src/backoff.ts';

/** Six delays, and one after a success. */
const pausesOf = (random: number) => {
  const backoff = createBackoff(100, 1_000, () => random);
  const pauses = Array.from({ length: 6 }, () => backoff.next());
  backoff.reset();
  return [...pauses, backoff.next()];
};

describe('delays between attempts', () => {
  it.each([
    ['shortest', 0, [50, 100, 200, 400, 500, 500, 50]],
    ['longest', 1, [100, 200, 400, 800, 1_000, 1_000, 100]],
  ])('double up to a bound, and start over when a try went well: the %s', (_which, random, pauses) => {
    expect(pausesOf(random)).toEqual(pauses);
  });
});
