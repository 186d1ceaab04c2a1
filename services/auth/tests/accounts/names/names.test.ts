import { fuzzing } from '@covalence/testing/fuzzing';
import { loginKey } from '@covalence/contract/login-key';
import { describe, expect, it } from '@jest/globals';
import { assert, property, string } from 'fast-check';
import { claimId } from '../../../src/accounts/names/names.ts';

describe('login keys', () => {
  it('are equal for every spelling of a name, and idempotent', () => {
    assert(
      property(string({ unit: 'grapheme' }), (text) => {
        expect(loginKey(loginKey(text))).toBe(loginKey(text));
        expect(loginKey(` ${text.normalize('NFD')} `)).toBe(loginKey(text.normalize('NFC')));
      }),
      fuzzing(),
    );
    expect(loginKey('ＢＯＢ')).toBe('bob');
    expect(loginKey('ı\u0307İI\u0307\u0301')).toBe('ii\u00ed');
    // Its compatibility form begins with a space, which must not stay.
    expect(loginKey('\u1fdd')).toBe(loginKey(loginKey('\u1fdd')));
    expect(claimId(7, 'email', 'A@B.example')).toBe('7:email:a@b.example');
  });
});
