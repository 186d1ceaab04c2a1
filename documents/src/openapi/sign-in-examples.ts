import type { Schema } from './schema.ts';

/** Grant type of RFC 8693. */
export const tokenExchange = 'urn:ietf:params:oauth:grant-type:token-exchange';

const appClient = { client_id: '3f0e8a52-6f5d-4b6c-9f5e-0f4b7f3f6f10' };
const app = { ...appClient, redirect_uri: 'com.example.app:/back' };
const serverClient = {
  client_id: '8c1d7f4e-2b9a-4e63-a1c5-7d0b9e6f3a21',
  client_secret: 'c2VjcmV0LXNlY3JldC1zZWNyZXQ',
};
const server = { ...serverClient, redirect_uri: 'https://www.example.com/back' };
const phone = { platform: 'app_ios', device_name: 'Ada’s iPhone' };

/** The challenge and the verifier of RFC 7636, appendix B. */
const asked = {
  response_type: 'code',
  state: 'af0ifjsldkj',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
  siteid: 1,
};
const withCode = (client: Schema) => ({
  grant_type: 'authorization_code',
  ...client,
  code: 'eyJhbGciOiJFUzI1NiJ9.eyJqdGkiOiIxIn0.c2lnbmF0dXJl',
  code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
});

/** Each is sent to the service by `services/auth/tests/tokens/provider/documented-examples.test.ts`, which fills in codes and tokens. */
export const pushExamples: Schema = {
  server: { summary: 'An app that runs on a server', value: { ...server, ...asked } },
  public: { summary: 'An app without a secret', value: { ...app, ...asked, ui_locales: 'de en', ...phone } },
};

/** Calls of /token. */
export const tokenExamples: Schema = {
  example: { summary: 'The code of a sign-in, for an app without a secret', value: withCode(app) },
  server: { summary: 'The code of a sign-in, for an app that runs on a server', value: withCode(server) },
  dpop: {
    summary: 'The code of a sign-in, for tokens bound to a key of the app',
    description:
      'With the header `DPoP: eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7…}}.eyJodG0iOiJQT1NUIiwiaHR1Ijoi…`: a new proof of RFC 9449, with `htm` POST and the address of this call as `htu`.',
    value: withCode(app),
  },
  refresh: {
    summary: 'The newest refresh token',
    value: {
      grant_type: 'refresh_token',
      ...appClient,
      refresh_token: 'eyJhbGciOiJFUzI1NiJ9.eyJqdGkiOiIyIn0.c2lnbmF0dXJl',
    },
  },
  exchange: {
    summary: 'The identity token of the dialog of a phone',
    value: {
      grant_type: tokenExchange,
      ...appClient,
      subject_token: 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
      subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
      provider: 'apple',
      nonce: 'wYp0kS3dQ1mJ7uXbT9fLc2hVzR8nEa4G',
      authorization_code: 'c1a2b3c4d5e6f.0.srtsx.Xy1z2',
      siteid: 1,
      ...phone,
    },
  },
};

const token = 'eyJhbGciOiJFUzI1NiJ9.eyJqdGkiOiI0In0.c2lnbmF0dXJl';

const tokenAnswer = {
  access_token: 'eyJhbGciOiJFUzI1NiJ9.eyJqdGkiOiIzIn0.c2lnbmF0dXJl',
  refresh_token: token,
  expires_in: 1800,
  token_type: 'Bearer',
};

/** Answers to the examples of the same name; `example` is that of all others. */
export const tokenAnswers: Schema = {
  example: { summary: 'After a code or refresh token', value: tokenAnswer },
  dpop: { summary: 'After a proof of a key', value: { ...tokenAnswer, token_type: 'DPoP' } },
  exchange: {
    summary: 'After an identity token',
    value: { ...tokenAnswer, issued_token_type: 'urn:ietf:params:oauth:token-type:access_token' },
  },
};

/** Calls of /revoke. */
export const revokeExamples: Schema = {
  public: { summary: 'An app without a secret', value: { ...appClient, token } },
  server: { summary: 'An app that runs on a server', value: { ...serverClient, token } },
};
