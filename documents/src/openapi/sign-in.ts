import { documented } from '@covalence/contract/parameters';
import { bodyFaults, faults, limits } from './failures.ts';
import {
  formFaults,
  json,
  jsonOrForm,
  object,
  operation,
  type Operations,
  pageFaults,
  query,
  redirect,
  refusal,
  type Row,
  text,
  uri,
} from './parts.ts';
import { ref, type Schema } from './schema.ts';
import {
  pushExamples,
  revokeExamples,
  tokenAnswers,
  tokenExamples,
  tokenExchange,
} from './sign-in-examples.ts';

const clientId: Row = ['client_id', text, 'The id of your app.', true];
const clientSecret: Row = ['client_secret', text, 'The secret of your app, if it has one.'];
const kindOfApp: Schema = { type: 'string', examples: ['app_android', 'app_ios', 'web'] };
const deviceName: Schema = { type: 'string', examples: ['Ada’s iPhone'] };

// oxfmt-ignore
const authorizeRows: readonly Row[] = [
  clientId,
  ['redirect_uri', uri, 'A registered redirect address, unchanged.', true],
  ['response_type', { type: 'string', enum: ['code'] }, 'Always `code`.', true],
  ['state', text, 'Comes back unchanged with the code; compare it.'],
  ['code_challenge', { type: 'string', pattern: '^[A-Za-z0-9_-]{43}$' }, 'PKCE: base64url of the SHA-256 of the verifier.'],
  ['code_challenge_method', { type: 'string', enum: ['S256'] }, 'With code_challenge.'],
  ['siteid', documented.siteid, 'The site to sign in on; recommended where it is known.'],
  ['locale', documented.locale, 'language_COUNTRY of the pages; the site’s by default.'],
  ['ui_locales', text, 'Languages of the pages in order of preference, separated by spaces; `locale` comes first.'],
  ['login_hint', { type: 'string', maxLength: 255 }, 'Username or email address, which fills in the form.'],
  ['platform', kindOfApp, 'The kind of app, for `GET /sessions`; cut to 32 characters.'],
  ['device_name', deviceName, 'The name of the device, for `GET /sessions`; cut to 64 characters.'],
  ['max_age', { type: 'integer', minimum: 0 },
    'Seconds: shows the form where the sign-in of this browser is older. Send it after a 401 with `insufficient_user_authentication`.'],
  ['prompt', { type: 'string', enum: ['login', 'none', 'create'] },
    '`create` opens the registration page, which ends like a sign-in. `login` shows the form although this browser is signed in: after a sign-out, or for another account. `none` shows no page: it fails with `login_required` where the browser is not signed in, and with `interaction_required` where the member has to agree to something.'],
];

const client: readonly Row[] = [
  clientId,
  clientSecret,
  ['platform', kindOfApp, 'The kind of app that calls.'],
];

/** A body with examples of each kind of app. */
const body = (schema: Schema, examples?: Schema) => ({
  required: true,
  content: jsonOrForm({ schema, ...(examples && { examples }) }),
});

/** All grants as one object, because generated clients cannot express alternatives. */
// oxfmt-ignore
const tokenRequest: Schema = object([
  ['grant_type', { type: 'string', enum: ['authorization_code', 'refresh_token', tokenExchange], 'x-enum-varnames': ['AUTHORIZATION_CODE', 'REFRESH_TOKEN', 'TOKEN_EXCHANGE'] }, 'What is exchanged: a code, a refresh token, or an identity token of a provider (RFC 8693).', true],
  ...client,
  ['code', text, 'With authorization_code: from redirect_uri or POST /members; valid once, for 10 seconds.'],
  ['redirect_uri', uri,
    'With authorization_code: the one of the sign-in; after POST /members the first of those registered.'],
  ['code_verifier', { type: 'string', pattern: '^[A-Za-z0-9._~-]{43,128}$' },
    'With authorization_code, where the sign-in had a `code_challenge` (PKCE).'],
  ['refresh_token', text, 'With refresh_token: the newest one.'],
  ['subject_token', text, 'With token-exchange: the identity token that the dialog of the phone returned.'],
  ['subject_token_type', { type: 'string', examples: ['urn:ietf:params:oauth:token-type:id_token'] }, 'With token-exchange.'],
  ['provider', { type: 'string', examples: ['apple', 'google'] }, 'With token-exchange: the id of the provider.'],
  ['nonce', text, 'With token-exchange: the nonce of POST /identity/nonce.'],
  ['authorization_code', { type: 'string', maxLength: 4096 }, 'With token-exchange: the authorization code that Apple’s dialog returned too. Its refresh token is kept, and revoked when the account is erased or unlinked. The sign-in does not depend on it.'],
  ['siteid', documented.siteid, 'With token-exchange: the site, where the provider opens accounts on several.'],
  ['device_name', deviceName, 'With token-exchange: the name of the device, for `GET /sessions`, as is `platform`.'],
]);

const oauthFailure = (description: string, error: string, fail: string): Schema => ({
  description,
  content: json(ref('OAuthFailure'), { error, fail }),
});

/** Failures of every call of OAuth, beside its 400. */
const oauthFaults: Schema = {
  '401': oauthFailure('The client credentials are not valid.', 'invalid_client', 'Invalid Client'),
  ...bodyFaults,
  ...limits,
  '500': oauthFailure('An internal error.', 'server_error', 'Internal Server Error'),
  '503': {
    ...oauthFailure(
      'A service is temporarily unavailable: send the same request again.',
      'temporarily_unavailable',
      'Service Unavailable',
    ),
    headers: { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } } },
  },
};

/** Responses of the first steps of a sign-in. */
export const authorizeResponses = {
  '302': redirect(
    'To the login page, or to redirect_uri with `error` (RFC 6749) where the request is invalid.',
  ),
  '303': redirect('As 302.'),
  '400': refusal('An unknown client or redirect_uri; the browser is not redirected.'),
  ...pageFaults,
};

/** A document of the authorization server. */
const served = (
  operationId: string,
  summary: string,
  description: string,
  answer: string,
  type = 'application/json',
) => {
  const ok = { description: answer, content: { [type]: { schema: { type: 'object' } } } };
  return operation('Sign-in', { operationId, summary, description, responses: { '200': ok, ...faults } });
};

const metadata = [
  'Metadata for OAuth libraries (RFC 8414), which ask at one address or the other.',
  'The addresses and capabilities of the authorization server.',
] as const;

// oxfmt-ignore
const metadataDocuments: Operations = {
  'GET /jwks': served('getKeys', 'Get the keys that sign tokens', 'A JSON Web Key Set (RFC 7517).', 'The public keys.', 'application/jwk-set+json'),
  'GET /.well-known/openid-configuration': served('getDiscovery', 'Get the metadata of the authorization server for OpenID libraries', ...metadata),
  'GET /.well-known/assetlinks.json': served('getAssetLinks', 'Get the Android apps that share passkeys with the hosted pages', 'Digital Asset Links, read by phones.', 'The registered apps.'),
  'GET /.well-known/apple-app-site-association': served('getAppleAssociation', 'Get the iOS apps that share passkeys with the hosted pages', 'An associated domain, read by phones.', 'The registered apps.'),
  'GET /.well-known/oauth-authorization-server': served('getServerMetadata', 'Get the metadata of the authorization server', ...metadata),
};

/** The operations of OAuth (RFC 6749, 7009, 7636), which oidc-provider serves, by route. */
export const signIn: Operations = {
  'POST /authorize': operation('Sign-in', {
    operationId: 'startSignIn',
    summary: 'Start the sign-in',
    description:
      'Open it in the system browser; the hosted pages follow, and finally redirect_uri with `code` and `state`. Use PKCE: send `code_challenge` (S256) and keep the verifier for POST /token. Send the parameters in the query string or a form.',
    requestBody: body(object(authorizeRows)),
    responses: { ...authorizeResponses, ...formFaults },
  }),
  'GET /authorize': operation('Sign-in', {
    operationId: 'startSignInByLink',
    summary: 'Start the sign-in by a link',
    description:
      'Starts the sign-in with parameters in the query string; otherwise the same as POST /authorize.',
    parameters: query(authorizeRows),
    responses: authorizeResponses,
  }),
  'POST /par': operation('Sign-in', {
    operationId: 'pushSignIn',
    summary: 'Push the parameters of a sign-in',
    description:
      'Takes the parameters of POST /authorize from the server of an app, with its credentials, and answers a `request_uri` for them (RFC 9126). Open /authorize with `client_id` and `request_uri` within a minute.',
    requestBody: body(object([...authorizeRows, clientSecret]), pushExamples),
    responses: {
      '201': {
        description: 'The reference to the parameters.',
        content: json(ref('PushedSignIn'), {
          request_uri: 'urn:ietf:params:oauth:request_uri:6esc_11ACC5bwc014ltc14eY22c',
          expires_in: 60,
        }),
      },
      '400': oauthFailure('A parameter is not valid.', 'invalid_request', 'Invalid Request'),
      ...oauthFaults,
    },
  }),
  'POST /token': operation('Sign-in', {
    operationId: 'getTokens',
    summary: 'Exchange a code, refresh token or identity token',
    description:
      'A used refresh token gives the same pair again for 10 seconds, or for the grace period of your app (at most two minutes), so that a lost answer does not sign the member out; later use ends the sign-in. Client credentials may be sent as HTTP Basic instead. With a proof in the header `DPoP` the tokens are bound to its key (RFC 9449).',
    requestBody: body(tokenRequest, tokenExamples),
    responses: {
      '200': {
        description: 'A new pair of tokens. Keep the newest.',
        content: { 'application/json': { schema: ref('TokenPair'), examples: tokenAnswers } },
      },
      '400': oauthFailure(
        'With `invalid_grant`, what is exchanged is not valid, or the member is deactivated: sign in again. With `interaction_required`, open POST /authorize: no account is linked yet, or it is deactivated. With any other `error`, the request or its identity token is not valid.',
        'invalid_grant',
        'Invalid Grant',
      ),
      ...oauthFaults,
    },
  }),
  'POST /revoke': operation('Sign-in', {
    operationId: 'revokeToken',
    summary: 'End this sign-in',
    description: 'Revokes the refresh token (RFC 7009). An invalid token also returns 200.',
    requestBody: body(object([['token', text, 'The refresh token.', true], ...client]), revokeExamples),
    responses: {
      '200': { description: 'The sign-in has ended. The body is empty.' },
      '400': oauthFailure('The request is not valid.', 'invalid_request', 'Invalid Request'),
      ...oauthFaults,
    },
  }),
  ...metadataDocuments,
};

/** Schemas of these operations. */
export const signInSchemas: Readonly<Record<string, Schema>> = {
  TokenPair: {
    description: 'The tokens of one sign-in.',
    ...object([
      ['access_token', text, 'Sent with its type: `Authorization: Bearer` or `DPoP`.', true],
      ['refresh_token', text, 'Sent to POST /token for the next pair.', true],
      ['expires_in', { type: 'integer', examples: [1800] }, 'Seconds until the access token expires.', true],
      [
        'token_type',
        { type: 'string', enum: ['Bearer', 'DPoP'] },
        '`DPoP` after a proof in the header `DPoP`, else `Bearer`.',
        true,
      ],
      [
        'issued_token_type',
        { type: 'string', examples: ['urn:ietf:params:oauth:token-type:access_token'] },
        'After token-exchange only: the type of `access_token` (RFC 8693).',
      ],
    ]),
  },
  PushedSignIn: {
    description: 'A pushed sign-in.',
    ...object([
      ['request_uri', text, 'Sent to /authorize instead of the parameters.', true],
      ['expires_in', { type: 'integer', examples: [60] }, 'Seconds until it expires.', true],
    ]),
  },
  OAuthFailure: {
    type: 'object',
    description:
      '`fail` as with every other call, beside the `error` of RFC 6749, 5.2, which is absent where the request did not reach OAuth.',
    properties: { error: text, error_description: text, fail: text, request_id: text },
    required: ['fail'],
  },
};
