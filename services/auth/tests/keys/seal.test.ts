import { fuzzing } from '@covalence/testing/fuzzing';
import { describe, expect, it } from '@jest/globals';
import { assert, nat, property, string } from 'fast-check';
import { createSeal } from '../../src/keys/seal.ts';

const seal = createSeal(['a secret of the unit tests, long enough']);

describe('sealing', () => {
  it('opens only sealed texts with the same purpose and bound value', () => {
    assert(
      property(string(), string(), nat(), (text, bound, position) => {
        const sealed = seal.seal('login-proof', text, bound);
        expect(seal.open('login-proof', sealed, bound)).toBe(text);
        expect(seal.open('refresh-answers', sealed, bound)).toBeUndefined();
        expect(seal.open('login-proof', sealed, `${bound}x`)).toBeUndefined();
        const bytes = Buffer.from(sealed, 'base64url');
        const at = position % bytes.length;
        bytes[at] = (bytes[at] ?? 0) ^ 1;
        expect(seal.open('login-proof', bytes.toString('base64url'), bound)).toBeUndefined();
      }),
      fuzzing(),
    );
    expect(seal.open('login-proof', '', '')).toBeUndefined();
  });
});
