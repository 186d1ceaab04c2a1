import { describe, expect, it } from '@jest/globals';
import { identityProviders } from '../../../src/accounts/identities/identity-providers.ts';

const google = {
  id: 'google',
  name: 'Google',
  issuer: 'https://accounts.google.com',
  client_id: 'app',
  client_secret: 'secret-of-google',
};
const problemsOf = (...providers: object[]) =>
  identityProviders.safeParse(JSON.stringify(providers)).error?.issues.map(({ message }) => message);

describe('the setting of other providers', () => {
  it.each([
    ['the path of the mailed link as id', [{ ...google, id: 'mail' }], /^mail is the path/],
    ['an id twice', [google, google], /^id must be unique$/],
    ['an address without TLS', [{ ...google, issuer: 'http://accounts.google.com' }], /^must be https$/],
    ['no secret', [{ ...google, client_secret: undefined }], /^set either client_secret or client_key$/],
  ])('refuses %s, without telling a secret', (_what, providers, problem) => {
    expect(problemsOf(google)).toBeUndefined();
    expect(problemsOf(...providers)).toEqual([expect.stringMatching(problem)]);
    expect(JSON.stringify(problemsOf(...providers))).not.toContain('secret-of-google');
  });
});
