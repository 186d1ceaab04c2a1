import { fuzzing } from '@covalence/testing/fuzzing';
import { describe, expect, it } from '@jest/globals';
import { generateKeyPairSync, verify } from 'node:crypto';
import { assert, property, uint8Array } from 'fast-check';
import { isSignedEs256, signEs256 } from '../../src/keys/algorithms.ts';

describe('signatures', () => {
  it('have 32 bytes for each number, even a short one', () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    assert(
      property(uint8Array(), (bytes) => {
        const signature = signEs256(Buffer.from(bytes), privateKey);
        expect(signature).toHaveLength(64);
        expect(isSignedEs256(Buffer.from(bytes), signature, publicKey)).toBe(true);
      }),
      fuzzing(),
    );
  });

  it("verify in JOSE's format", () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const text = Buffer.from('signed');
    const signature = signEs256(text, privateKey);
    expect(verify('sha256', text, { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature)).toBe(true);
    expect(isSignedEs256(text, signature, publicKey)).toBe(true);
    expect(isSignedEs256(Buffer.from('other'), signature, publicKey)).toBe(false);
  });
});
