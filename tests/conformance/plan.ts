/** The plan of the FAPI 2.0 Security Profile for authorization servers, final version. */
export const planName = 'fapi2-security-profile-final-test-plan';

/** Client authentication and token binding of the plan. */
export const variant = {
  client_auth_type: 'private_key_jwt',
  sender_constrain: 'dpop',
  openid: 'plain_oauth',
  fapi_profile: 'plain_fapi',
  authorization_request_type: 'simple',
};

/** Path of the suite's redirect address. */
const alias = 'covalence';

/** A client of the plan, as the suite knows it. */
export interface SuiteClient {
  readonly client_id: string;
  readonly scope: 'member';
  /** With private keys. */
  readonly jwks: { readonly keys: readonly object[] };
  readonly dpop_signing_alg: 'ES256';
}

/** The system under test, and the clients and member of the plan. */
export interface PlanSetting {
  /** Address of the gateway. */
  readonly issuer: string;
  readonly suiteUrl: string;
  readonly clients: readonly [SuiteClient, SuiteClient];
  readonly member: { readonly username: string; readonly password: string };
}

/** The redirect addresses of the plan's clients. */
export const redirectsOf = (suiteUrl: string): string[] => {
  const callback = `${suiteUrl}/test/a/${alias}/callback`;
  return [callback, `${callback}?dummy1=lorem&dummy2=ipsum`];
};

/** The configuration of the plan, with what the suite's browser does on each page. */
export function configurationOf({ issuer, suiteUrl, clients: [client, client2], member }: PlanSetting) {
  const form = `${issuer}/login/*`;
  const signIn = {
    task: 'Sign in',
    match: form,
    // A browser that is signed in already may see no page.
    optional: true,
    commands: [
      ['text', 'id', 'login', member.username, 'optional'],
      ['text', 'id', 'password', member.password, 'optional'],
      ['click', 'xpath', "//form[.//input[@id='password']]//button[@type='submit']", 'optional'],
      // It is asked for a redirect to a loopback address.
      ['click', 'xpath', "//button[@name='continue']", 'optional'],
    ],
  };
  const cancel = {
    task: 'Cancel',
    match: form,
    commands: [['click', 'xpath', "//a[contains(@href, '/cancel')]"]],
  };
  const end = [
    {
      task: 'Return to the client',
      match: `${suiteUrl}/test/*`,
      optional: true,
      commands: [['wait', 'id', 'submission_complete', 10]],
    },
    {
      task: 'Show an error',
      match: `${issuer}/*`,
      optional: true,
      commands: [['wait', 'xpath', '//body', 10, '.+', 'update-image-placeholder-optional']],
    },
  ];
  const match = `${issuer}/authorize*`;
  return {
    alias,
    description: 'Covalence, the member service',
    publish: 'no',
    server: { discoveryUrl: `${issuer}/.well-known/oauth-authorization-server` },
    client,
    client2,
    resource: { resourceUrl: `${issuer}/users/self`, resourceMethod: 'GET' },
    browser: [{ match, tasks: [signIn, ...end] }],
    override: {
      'fapi2-security-profile-final-user-rejects-authentication': {
        browser: [{ match, tasks: [cancel, ...end] }],
      },
      // It wants the first visit to look at the page only.
      'fapi2-security-profile-final-par-ensure-reused-request-uri-prior-to-auth-completion-succeeds': {
        browser: [
          { match, 'match-limit': 1, tasks: [{ task: 'Look', match: form }] },
          { match, tasks: [signIn, ...end] },
        ],
      },
    },
    options: { browsercontrol_css_enable: false },
  };
}
