import type { Schema } from './schema.ts';

/** Grant type of RFC 8693. */
export const tokenExchange = 'urn:ietf:params:oauth:grant-type:token-exchange';

const appExample = {
  client_id: '3f0e8a52-6f5d-4b6c-9f5e-0f4b7f3f6f10',
  redirect_uri: 'com.example.app:/back',
};
const serverExample = {
  client_id: '8c1d7f4e-2b9a-4e63-a1c5-7d0b9e6f3a21',
  client_secret: 'c2VjcmV0LXNlY3JldC1zZWNyZXQ',
  redirect_uri: 'https://www.example.com/back',
};
/** Verifier and challenge of RFC 7636, appendix B. */
const code_verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const challenge = {
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
};

/** Each is sent to the service by `services/auth/tests/tokens/documented-examples.test.ts`, which fills in codes and tokens. */
export const pushExamples: Schema = {
  server: {
    summary: 'An app that runs on a server',
    value: { ...serverExample, response_type: 'code', state: 'af0ifjsldkj', ...challenge, siteid: 1 },
  },
  public: {
    summary: 'An app without a secret',
    value: {
      ...appExample,
      response_type: 'code',
      state: 'af0ifjsldkj',
      ...challenge,
      siteid: 1,
      ui_locales: 'de en',
      platform: 'app_ios',
      device_name: 'Ada’s iPhone',
    },
  },
};

const grant_type = 'authorization_code';
const code = 'eyJhbGciOiJFUzI1NiJ9.eyJqdGkiOiIxIn0.c2lnbmF0dXJl';

/** Calls of /token. */
export const tokenExamples: Schema = {
  example: {
    summary: 'The code of a sign-in, for an app without a secret',
    value: { grant_type, ...appExample, code, code_verifier },
  },
  server: {
    summary: 'The code of a sign-in, for an app that runs on a server',
    value: { grant_type, ...serverExample, code, code_verifier },
  },
  dpop: {
    summary: 'The code of a sign-in, for tokens bound to a key of the app',
    description:
      'With the header `DPoP: eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7…}}.eyJodG0iOiJQT1NUIiwiaHR1Ijoi…`: a new proof of RFC 9449, with `htm` POST and the address of this call as `htu`.',
    value: { grant_type, ...appExample, code, code_verifier },
  },
  refresh: {
    summary: 'The newest refresh token',
    value: {
      grant_type: 'refresh_token',
      client_id: appExample.client_id,
      refresh_token: 'eyJhbGciOiJFUzI1NiJ9.eyJqdGkiOiIyIn0.c2lnbmF0dXJl',
    },
  },
  exchange: {
    summary: 'The identity token of the dialog of a phone',
    value: {
      grant_type: tokenExchange,
      client_id: appExample.client_id,
      subject_token: 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
      subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
      provider: 'apple',
      nonce: 'wYp0kS3dQ1mJ7uXbT9fLc2hVzR8nEa4G',
      authorization_code: 'c1a2b3c4d5e6f.0.srtsx.Xy1z2',
      siteid: 1,
      platform: 'app_ios',
      device_name: 'Ada’s iPhone',
    },
  },
};

const tokenAnswer = {
  access_token: 'eyJhbGciOiJFUzI1NiJ9.eyJqdGkiOiIzIn0.c2lnbmF0dXJl',
  refresh_token: 'eyJhbGciOiJFUzI1NiJ9.eyJqdGkiOiI0In0.c2lnbmF0dXJl',
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

const token = tokenAnswer.refresh_token;

/** Calls of /revoke. */
export const revokeExamples: Schema = {
  public: {
    summary: 'An app without a secret',
    value: { client_id: appExample.client_id, token },
  },
  server: {
    summary: 'An app that runs on a server',
    value: { client_id: serverExample.client_id, client_secret: serverExample.client_secret, token },
  },
};
