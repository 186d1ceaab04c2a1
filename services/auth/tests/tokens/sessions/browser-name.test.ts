import { describe, expect, it } from '@jest/globals';
import { browserName } from '../../../src/tokens/sessions/browser-name.ts';

describe('the name of a browser', () => {
  it.each([
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Mobile/15E1 Safari/604.1',
      'Safari, iOS',
    ],
    ['Mozilla/5.0 (Linux; Android 10; K) Chrome/138.0.0.0 Mobile Safari/537.36', 'Chrome, Android'],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/138.0.0.0 Safari/537.36 Edg/138',
      'Microsoft Edge, Windows',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0',
      'Firefox, macOS',
    ],
  ])('is known: %s', (header, name) => {
    expect(browserName(header)).toBe(name);
  });

  it.each([
    undefined,
    '',
    'call-+1-555-0100/1.0',
    'Your account is blocked: evil.example/x',
    '('.repeat(100_000),
  ])('is never what the sender of a header says otherwise', (header) => {
    expect(browserName(header)).toBeUndefined();
  });
});
