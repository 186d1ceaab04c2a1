import { describe, expect, it } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { createCookieKeys } from '../src/keys/cookie-keys.ts';

describe('keys of cookies', () => {
  const keys = createCookieKeys('a key of thirty-two characters ..');
  const cookie = '_session=V1StGXR8';

  it('sign as keygrip does, so that cookies outlive the change from it', () => {
    const digest = createHmac('sha1', 'a key of thirty-two characters ..').update(cookie).digest('base64');
    const keygrips = digest.replace(/[/+=]/g, (sign) => ({ '/': '_', '+': '-' })[sign] ?? '');
    expect(keys.sign(cookie)).toBe(keygrips);
    expect(keys.index(cookie, keygrips)).toBe(0);
  });

  it.each(['', 'x', 'ü'.repeat(27), 'A'.repeat(27), `${keys.sign(cookie)}A`, keys.sign(`${cookie}0`)])(
    'take no other signature: %s',
    (signature) => {
      expect(keys.index(cookie, signature)).toBe(-1);
      expect(keys.verify(cookie, signature)).toBe(false);
    },
  );
});
