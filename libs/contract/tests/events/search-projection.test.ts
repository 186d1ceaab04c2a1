import { describe, expect, it } from '@jest/globals';
import { projectionSchema } from '../../src/events/search-projection.ts';

const { traits } = projectionSchema.shape;

describe('the traits of a projection', () => {
  it('are texts, numbers, booleans and lists of texts or numbers, and are not copied', () => {
    const good = { about_me: 'hello', height: 170, smoker: false, music: [60, 'jazz'], none: [] };
    expect(traits.parse(good)).toBe(good);
    expect(traits.parse({})).toEqual({});
  });

  it.each([
    ['null', null],
    ['a list', ['hello']],
    ['a text', 'hello'],
    ['nothing', undefined],
    ['null as a value', { height: null }],
    ['a map as a value', { height: { is: 170 } }],
    ['a list of truths', { music: [true] }],
    ['a list of lists', { music: [[60]] }],
  ])('are not %s', (_name, bad) => {
    expect(traits.safeParse(bad).success).toBe(false);
  });
});
