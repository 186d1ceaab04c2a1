import type { Operations } from '../operation.ts';
import { locale, platform, siteid } from '../parameters.ts';
import { ref, type Schema } from '../schema.ts';
import {
  body,
  faults,
  form,
  formFaults,
  html,
  limits,
  object,
  operation,
  pageFaults,
  point,
  query,
  redirect,
  refusal,
  text,
  type Row,
} from './sign-in-parts.ts';

/** The Authorization Server's own operations (RFC 6749, 7009, 7636), which no route table declares. */

const uid = {
  name: 'uid',
  in: 'path',
  required: true,
  description: 'The sign-in under way.',
  schema: { type: 'string' },
};
const token = { ...uid, name: 'token', description: 'From the mail.' };

const authorizeRows: readonly Row[] = [
  ['client_id', { type: 'string' }, 'Your app.', true],
  ['redirect_uri', { type: 'string', format: 'uri' }, 'One of those registered, as it is.', true],
  ['response_type', { type: 'string', enum: ['code'] }, 'Always `code`.', true],
  ['state', text, 'Comes back unchanged with the code; compare it.'],
  [
    'code_challenge',
    { type: 'string', pattern: '^[A-Za-z0-9_-]{43}$' },
    'PKCE: base64url of the SHA-256 of the verifier.',
  ],
  ['code_challenge_method', { type: 'string', enum: ['S256'] }, 'With code_challenge.'],
  ['siteid', siteid.schema ?? {}, 'Site to sign in on; recommended where it is known.'],
  ['locale', locale.schema ?? {}, 'language_COUNTRY of the pages; the site’s where absent.'],
  ['platform', platform.schema ?? {}, 'Which kind of app; only logged.'],
  [
    'max_age',
    { type: 'integer', minimum: 0 },
    'Seconds: shows the form where the sign-in of this browser is older. Send it after a 401 with `insufficient_user_authentication`.',
  ],
  [
    'prompt',
    { type: 'string', enum: ['login', 'none'] },
    '`login` shows the form although this browser is signed in: after a sign-out, or for another account. `none` shows nothing: without a sign-in of the browser the error `login_required`, with one that the member has to agree to `interaction_required`.',
  ],
];

const client: readonly Row[] = [
  ['client_id', { type: 'string' }, 'Your app.', true],
  ['client_secret', text, 'Your app’s secret.', true],
  ['platform', platform.schema ?? {}, 'Which kind of app; only logged.'],
];

/** Both grants as one object: of two, generated clients want what either requires. */
const tokenRequest: Schema = object([
  [
    'grant_type',
    { type: 'string', enum: ['authorization_code', 'refresh_token'] },
    'A code or a refresh token for a pair.',
    true,
  ],
  ...client,
  ['code', text, 'With authorization_code: from redirect_uri or POST /members; good for 10 seconds, once.'],
  [
    'redirect_uri',
    { type: 'string', format: 'uri' },
    'With authorization_code: the one of the sign-in; after POST /members the first of those registered.',
  ],
  [
    'code_verifier',
    { type: 'string', pattern: '^[A-Za-z0-9._~-]{43,128}$' },
    'With authorization_code, where the sign-in had a `code_challenge` (PKCE).',
  ],
  ['refresh_token', text, 'With refresh_token: the newest one.'],
]);

const oauthFailure = (description: string, error: string): Schema => ({
  description,
  content: {
    'application/json': {
      schema: ref('OAuthFailure'),
      examples: { example: { value: { error } } },
    },
  },
});

const pages = '200 shows the page; a sign-in that is over or unknown is 400 with a page that says so.';

const signInPage = (
  route: string,
  summary: string,
  fields: readonly Row[],
  parameters: readonly Schema[],
) => {
  const path = route;
  return {
    [`GET ${path}`]: operation(`GET ${path}`, 'Hosted pages', summary, {
      description: pages,
      parameters,
      responses: {
        '200': html('The page.'),
        '400': refusal('The page that says why not.'),
        '404': refusal('No such page.'),
        ...pageFaults,
      },
    }),
    [`POST ${path}`]: operation(`POST ${path}`, 'Hosted pages', `${summary}: its form`, {
      description: 'Sent by the page itself, with its hidden fields. Wrong entries show the page again.',
      parameters,
      requestBody: form(object(fields)),
      responses: {
        '200': html('The page again, or the next one.'),
        '302': redirect('On to the next step, in the end to redirect_uri with `code` and `state`.'),
        '303': redirect('As 302.'),
        '400': refusal('The page that says why not.'),
        '403': refusal('The form is not of this browser.'),
        '404': refusal('No such page.'),
        ...formFaults,
      },
    }),
  };
};

const login: readonly Row[] = [
  ['login', text, 'Username or e-mail.', true],
  ['password', { type: 'string', format: 'password' }, 'The password.', true],
];

const authorizeResponses = {
  '302': redirect(
    'To the login page; or to redirect_uri with `error` (RFC 6749) where the request is not good.',
  ),
  '303': redirect('As 302.'),
  '400': refusal('A page: unknown client or redirect_uri, to which nobody is sent.'),
  ...pageFaults,
};

const document = { 'application/json': { schema: { type: 'object' } } };

const discovery = (route: string) =>
  operation(route, 'Sign-in', 'Addresses of the Authorization Server', {
    description: 'Discovery for OAuth libraries (RFC 8414), which ask at one address or the other.',
    responses: { '200': { description: 'The addresses.', content: document }, ...faults },
  });

/** Operations of the Authorization Server by route. */
export const signIn: Operations = {
  'POST /authorize': operation('POST /authorize', 'Sign-in', 'Start the login', {
    description:
      'Open it in the system browser; the hosted pages follow, in the end redirect_uri with `code` and `state`. Use PKCE: send `code_challenge` (S256) and keep the verifier for POST /token. Parameters may be sent in the query string or a form.',
    requestBody: body(object(authorizeRows)),
    responses: { ...authorizeResponses, ...formFaults },
  }),
  'GET /authorize': operation('GET /authorize', 'Sign-in', 'Start the login by a link', {
    description: 'As POST /authorize.',
    parameters: query(authorizeRows),
    responses: authorizeResponses,
  }),
  'GET /authorize/{uid}': operation('GET /authorize/{uid}', 'Hosted pages', 'Go on after the login', {
    description: 'The hosted pages send the browser here; apps never call it.',
    parameters: [uid],
    responses: { ...authorizeResponses, '404': refusal('No such sign-in.') },
  }),
  ...signInPage('/login/{uid}', 'The login page', login, [uid]),
  ...signInPage(
    '/login/{uid}/forgotten',
    'The page for a forgotten password',
    [login[0] ?? ['login', text, '']],
    [uid],
  ),
  ...signInPage(
    '/login/{uid}/device',
    'A link for a browser that is limited',
    [login[0] ?? ['login', text, '']],
    [uid],
  ),
  ...signInPage('/device/{token}', 'The page that such a link leads to', [], [token]),
  ...signInPage(
    '/password/{token}',
    'The page for a new password',
    [['password', { type: 'string', format: 'password' }, 'The new password.', true]],
    [token],
  ),
  ...signInPage(
    '/account/password',
    'The page that changes the password of whoever is signed in',
    [
      ['current', { type: 'string', format: 'password' }, 'The current password.', true],
      ['password', { type: 'string', format: 'password' }, 'The new password.', true],
    ],
    [],
  ),
  ...signInPage('/email/{token}', 'The page that confirms an e-mail address', [], [token]),
  ...signInPage(
    '/email/{token}/revert',
    'The page that takes a change of the e-mail address back',
    [],
    [token],
  ),
  'POST /token': operation('POST /token', 'Sign-in', 'A code or a refresh token for a new pair', {
    description:
      'A used refresh token gives the same pair again for 10 seconds, or the grace of your app (at most two minutes), so that a lost answer strands nobody; later use ends the sign-in. Client credentials may come as HTTP Basic instead.',
    requestBody: body(tokenRequest, {
      code: {
        summary: 'After the login',
        value: {
          grant_type: 'authorization_code',
          client_id: '3f0e8a52-6f5d-4b6c-9f5e-0f4b7f3f6f10',
          client_secret: 'c2VjcmV0LXNlY3JldC1zZWNyZXQ',
          code: 'eyJhbGciOiJFUzI1NiJ9.eyJqdGkiOiIxIn0.c2lnbmF0dXJl',
          redirect_uri: 'com.example.app:/back',
          code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
        },
      },
      refresh: {
        summary: 'Before or after the access token ends',
        value: {
          grant_type: 'refresh_token',
          client_id: '3f0e8a52-6f5d-4b6c-9f5e-0f4b7f3f6f10',
          client_secret: 'c2VjcmV0LXNlY3JldC1zZWNyZXQ',
          refresh_token: 'eyJhbGciOiJFUzI1NiJ9.eyJqdGkiOiIyIn0.c2lnbmF0dXJl',
        },
      },
    }),
    responses: {
      '200': {
        description: 'The pair. Keep the newest.',
        content: {
          'application/json': {
            schema: ref('TokenPair'),
            examples: {
              example: {
                value: {
                  access_token: 'eyJhbGciOiJFUzI1NiJ9.eyJqdGkiOiIzIn0.c2lnbmF0dXJl',
                  refresh_token: 'eyJhbGciOiJFUzI1NiJ9.eyJqdGkiOiI0In0.c2lnbmF0dXJl',
                  expires_in: 1800,
                  token_type: 'Bearer',
                },
              },
            },
          },
        },
      },
      '400': oauthFailure('The code or refresh token is not good: sign in again.', 'invalid_grant'),
      '401': oauthFailure('The client credentials are not good.', 'invalid_client'),
      '413': point('TooLarge'),
      '415': point('UnsupportedType'),
      ...limits,
      '500': oauthFailure('A mistake of ours.', 'server_error'),
      '503': {
        ...oauthFailure('A part is away: send the same request again.', 'temporarily_unavailable'),
        headers: { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } } },
      },
    },
  }),
  'POST /revoke': operation('POST /revoke', 'Sign-in', 'End this sign-in', {
    description: 'With the refresh token (RFC 7009). A token that is not good is 200 too.',
    requestBody: body(object([['token', text, 'The refresh token.', true], ...client])),
    responses: {
      '200': { description: 'It is over.' },
      '400': oauthFailure('The request is not good.', 'invalid_request'),
      '401': oauthFailure('The client credentials are not good.', 'invalid_client'),
      '413': point('TooLarge'),
      '415': point('UnsupportedType'),
      ...faults,
    },
  }),
  'GET /session/end': operation('GET /session/end', 'Hosted pages', 'Sign out in the browser', {
    description: 'The page that asks whether to sign out here or everywhere.',
    parameters: query([
      ['siteid', siteid.schema ?? {}, 'Site in whose name and color the page is; else the member’s.'],
      ['locale', locale.schema ?? {}, 'language_COUNTRY of the page; the member’s where absent.'],
    ]),
    responses: {
      '200': html('The page.'),
      '303': redirect('Nothing to ask.'),
      '400': refusal('The page that says why not.'),
      ...pageFaults,
    },
  }),
  'POST /session/end': operation('POST /session/end', 'Hosted pages', 'Sign out in the browser, by a form', {
    description: 'Leads to GET /session/end with what the form says (RP-initiated logout).',
    requestBody: { content: { 'application/x-www-form-urlencoded': { schema: { type: 'object' } } } },
    responses: {
      '303': redirect('To the page.'),
      '400': point('BadRequest'),
      ...formFaults,
    },
  }),
  'POST /session/end/confirm': operation(
    'POST /session/end/confirm',
    'Hosted pages',
    'Signing out: its form',
    {
      description: 'Sent by the page itself.',
      requestBody: form(object([['logout', text, 'Here or everywhere.']])),
      responses: {
        '302': redirect('Done.'),
        '303': redirect('Done.'),
        '400': refusal('The page that says why not.'),
        ...formFaults,
      },
    },
  ),
  'GET /session/end/success': operation('GET /session/end/success', 'Hosted pages', 'Signed out', {
    description: 'The page that says so.',
    responses: { '200': html('The page.'), '400': refusal('The page that says why not.'), ...pageFaults },
  }),
  'GET /jwks': operation('GET /jwks', 'Sign-in', 'Keys that tokens are signed with', {
    description: 'RFC 7517.',
    responses: {
      '200': {
        description: 'The keys.',
        content: { 'application/jwk-set+json': { schema: { type: 'object' } } },
      },
      ...faults,
    },
  }),
  'GET /.well-known/openid-configuration': discovery('GET /.well-known/openid-configuration'),
  'GET /.well-known/oauth-authorization-server': discovery('GET /.well-known/oauth-authorization-server'),
};
