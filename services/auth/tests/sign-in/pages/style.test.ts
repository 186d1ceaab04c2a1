import { describe, expect, it } from '@jest/globals';
import { pageHeaders } from '../../../src/sign-in/pages/style.ts';

describe('pages', () => {
  it.each([
    [[], "form-action 'self';"],
    [
      ['https://app.example:8443/callback?x=1', 'https://app.example:8443/'],
      "form-action 'self' https://app.example:8443;",
    ],
    [['com.example.app:/callback', 'http://[::1]:80/'], "form-action 'self' com.example.app: http:;"],
  ])('let a form redirect to %j only', (uris, policy) => {
    expect(`${pageHeaders(uris)['Content-Security-Policy']};`).toContain(policy);
  });
});
