import { describe, expect, it } from '@jest/globals';
import {
  newRecoveryCodes,
  newTotpKey,
  readCode,
  stepOf,
  totpAddress,
} from '../../src/accounts/second-factors.ts';

/** "12345678901234567890", the key of the examples in RFC 6238, appendix B. */
const key = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

describe('codes of authenticator apps', () => {
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('are those of RFC 6238 at %d s', (seconds, code) => {
    const step = Math.floor(seconds / 30);
    expect(stepOf(code, key, new Date(seconds * 1000))).toBe(step);
    expect(stepOf(code, key, new Date((seconds + 30) * 1000))).toBe(step);
    expect(stepOf(code, key, new Date((seconds - 30) * 1000))).toBe(step);
    expect(stepOf(code, key, new Date((seconds + 60) * 1000))).toBeUndefined();
    expect(stepOf(code, key, new Date((seconds - 60) * 1000))).toBeUndefined();
    for (const wrong of ['', code.slice(1), `${code}0`, '١٢٣٤٥٦']) {
      expect(stepOf(wrong, key, new Date(seconds * 1000))).toBeUndefined();
    }
  });

  it('come from 160 random bits, which apps read as an address', () => {
    const made = newTotpKey();
    expect(made).toMatch(/^[A-Z2-7]{32}$/);
    expect(newTotpKey()).not.toBe(made);
    expect(totpAddress(made, 'A & B', 'grace')).toBe(
      `otpauth://totp/A%20%26%20B:grace?issuer=A%20%26%20B&secret=${made}&algorithm=SHA1&digits=6&period=30`,
    );
  });
});

describe('recovery codes', () => {
  it('have 120 random bits, and are known again in any spelling', () => {
    const codes = newRecoveryCodes();
    expect(new Set(codes.map(({ code }) => code)).size).toBe(8);
    for (const { code, hash } of codes) {
      expect(code).toMatch(/^([A-Z2-7]{4}-){5}[A-Z2-7]{4}$/);
      expect(readCode(code)).toEqual({ recovery: hash });
      expect(readCode(` ${code.toLowerCase().replaceAll('-', '')} `)).toEqual({ recovery: hash });
    }
    expect(readCode('123 456')).toEqual({ digits: '123456' });
  });
});
