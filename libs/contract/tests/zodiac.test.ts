import { describe, expect, it } from '@jest/globals';
import { zodiacSign } from '../src/zodiac.ts';

describe('the sign of a date of birth', () => {
  it.each([
    ['1990-01-01', 'Capricorn'],
    ['1990-01-19', 'Capricorn'],
    ['1990-01-20', 'Aquarius'],
    ['1990-02-19', 'Pisces'],
    ['1990-03-20', 'Pisces'],
    ['1990-03-21', 'Aries'],
    ['1990-07-23', 'Leo'],
    ['1990-10-22', 'Libra'],
    ['1990-10-23', 'Scorpio'],
    ['1990-12-21', 'Sagittarius'],
    ['1990-12-22', 'Capricorn'],
  ])('%s is %s', (date, sign) => {
    expect(zodiacSign(date)).toBe(sign);
  });
});
