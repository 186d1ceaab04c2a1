import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { isRegisteredRedirect, redirectUriProblem } from '../../src/accounts/redirect-uri.ts';

describe('a redirect URI', () => {
  it.each([
    'https://app.example/back',
    'https://app.example:8443/back?from=login',
    'com.example.app:/back',
    'com.example.app://back',
    'http://127.0.0.1/back',
    'http://[::1]/back',
    'http://localhost:5173/back',
    'https://app.example',
  ])('%s can be registered', (uri) => {
    expect(redirectUriProblem(uri)).toBeUndefined();
  });

  it.each([
    ['app.example/back', 'absolute'],
    ['https://app.example/#back', 'fragment'],
    ['https://*.app.example/back', 'wildcard'],
    ['https://app.example/*', 'wildcard'],
    ['https://member@app.example/back', 'username'],
    ['javascript:alert(1)', 'belongs to no app'],
    ['http://127.0.0.1:0/back', 'port 0'],
    ['https://app.example:0/back', 'port 0'],
    ['http://app.example/back', 'not encrypted'],
    ['http://127.0.0.1.evil.example/back', 'not encrypted'],
    ['myapp://back', 'without a dot'],
    ['HTTPS://APP.example/back', 'must be written as https://app.example/back'],
    ['https://app.example:443/x/../back', 'must be written as https://app.example/back'],
    ['https://app.example/b ck', 'must be written as https://app.example/b%20ck'],
  ])('%s is refused: %s', (uri, reason) => {
    expect(redirectUriProblem(uri)).toContain(reason);
  });
});

describe('the redirect of a request', () => {
  const registered = [
    'http://127.0.0.1/back',
    'http://[::1]:4000/',
    'https://app.example/back',
    'com.example.app:/back',
  ];

  it('of a public client may have any port of a registered loopback address', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 65_535 }), (port) => {
        expect(isRegisteredRedirect(`http://127.0.0.1:${port}/back`, registered, true)).toBe(true);
        expect(isRegisteredRedirect(`http://[::1]:${port}/`, registered, true)).toBe(true);
        expect(isRegisteredRedirect(`http://127.0.0.1:${port}/back`, registered, false)).toBe(false);
      }),
    );
  });

  it.each([
    'http://127.0.0.1:0/back',
    'http://127.0.0.1:65536/back',
    'http://127.0.0.1:08080/back',
    'http://127.0.0.1:4000/other',
    'http://127.0.0.1:4000/back?x=1',
    'http://127.0.0.1:4000/x/../back',
    'http://127.0.0.1:4000@evil.example/back',
    'http://127.0.0.1.evil.example:4000/back',
    'http://127.1:4000/back',
    'http://localhost:4000/back',
    'https://127.0.0.1:4000/back',
    'https://app.example:8443/back',
    'com.example.app:/other',
  ])('%s is not that of the registered ones', (uri) => {
    expect(isRegisteredRedirect(uri, registered, true)).toBe(false);
  });
});
