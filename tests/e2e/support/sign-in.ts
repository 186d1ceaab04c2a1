import request from 'supertest';

/** A client application and its redirect URI. */
export interface ClientApp {
  readonly client_id: string;
  readonly client_secret: string;
  readonly redirect_uri: string;
}

/** The credentials of a sign-in. */
export interface Login {
  readonly username: string;
  readonly password: string;
}

/** The token pair. */
export interface TokenPair {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
}

const hops = 8;

/** The path of a redirect within this system. */
export const pathOf = (location: string, base: string) => {
  const url = new URL(location, base);
  return url.pathname + url.search;
};

const attribute = (tag: string, name: string) => new RegExp(`${name}="([^"]*)"`).exec(tag)?.[1] ?? '';

/** The hidden fields and the target of a form. */
export function formOf(html: string): { action: string; fields: Record<string, string> } {
  const form = /<form[^>]*>/.exec(html)?.[0] ?? '';
  const hidden = [...html.matchAll(/<input[^>]*type="hidden"[^>]*>/g)].map(([tag]) => tag);
  return {
    action: attribute(form, 'action'),
    fields: Object.fromEntries(hidden.map((tag) => [attribute(tag, 'name'), attribute(tag, 'value')])),
  };
}

/**
 * Signs a member in as a browser would: POST /authorize, the hosted form, the redirects. Returns the query
 * parameters of the redirect URI. A deactivated member enters the credentials twice (`entries`).
 */
export async function signIn(
  base: string,
  app: ClientApp,
  { username: login, password }: Login,
  extra: Record<string, string> = {},
  entries = 1,
): Promise<URLSearchParams> {
  const browser = request.agent(base);
  const follow = async (start: request.Response): Promise<request.Response> => {
    let response = start;
    for (let hop = 0; hop < hops; hop += 1) {
      const location = response.headers['location'];
      if (!location || location.startsWith(app.redirect_uri)) return response;
      response = await browser.get(pathOf(location, base)).redirects(0);
    }
    throw new Error('too many redirects');
  };
  const { client_id, redirect_uri } = app;
  const started = await browser
    .post('/authorize')
    .redirects(0)
    .type('form')
    .send({ client_id, redirect_uri, response_type: 'code', ...extra });
  let page = await follow(started);
  for (let entry = 0; entry < entries; entry += 1) {
    const { action, fields } = formOf(page.text);
    const sent = browser.post(pathOf(action, base)).redirects(0).type('form');
    page = await follow(await sent.send({ ...fields, login, password }));
  }
  const back = page.headers['location'];
  if (!back) throw new Error(`not signed in: ${page.status}`);
  return new URL(back).searchParams;
}

/** Exchanges a code for tokens. */
export async function tokensFor(base: string, app: ClientApp, code: string): Promise<TokenPair> {
  const { client_id, client_secret, redirect_uri } = app;
  const response = await request(base)
    .post('/token')
    .type('form')
    .send({ client_id, client_secret, redirect_uri, code, grant_type: 'authorization_code' });
  if (response.status !== 200) throw new Error(`no tokens: ${response.status} ${response.text}`);
  return response.body as TokenPair;
}

/** Signs a member in and exchanges the code. */
export async function tokensBySignIn(
  base: string,
  app: ClientApp,
  login: Login,
  extra?: Record<string, string>,
  entries?: number,
): Promise<TokenPair> {
  const back = await signIn(base, app, login, extra, entries);
  return tokensFor(base, app, back.get('code') ?? '');
}
