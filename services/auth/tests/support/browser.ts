import type { Server } from 'node:http';
import request, { type Response } from 'supertest';
import type { ShownClient, TestMember } from './people.ts';

/** A person at a browser without JavaScript, who follows redirects, fills in forms and keeps cookies. */
export interface Browser {
  /** Opens a path and follows redirects on this server; the answer that is a page, or leads elsewhere. */
  open(path: string): Promise<Response>;
  /** Begins a sign-in the way the contract has it, by POST /authorize. */
  begin(client: ShownClient, parameters?: Record<string, string>): Promise<Response>;
  /** Fills in the fields of the page's form and sends it. */
  submit(page: Response, fields: Record<string, string>): Promise<Response>;
  /** Sends a form to a path. */
  post(path: string, fields: Record<string, string>): Promise<Response>;
  /** A whole sign-in; the address that the browser ends at. */
  signIn(client: ShownClient, member: TestMember, parameters?: Record<string, string>): Promise<URL>;
  cookie(name: string, value: string): void;
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
/** Text of HTML without its entities. */
export const unescapeHtml = (text: string) =>
  text.replace(/&(#?\w+);/g, (_all, name: string) => entities[name] ?? '');

const attribute = (tag: string, name: string) => {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  return value === undefined ? undefined : unescapeHtml(value);
};

/** The action and the fields of a page's form, as they stand in the HTML. */
export function formOf(page: Response): { action: string; fields: Record<string, string> } {
  const form = /<form[^>]*>/.exec(page.text)?.[0];
  if (!form) throw new Error(`no form on this page (${page.status}): ${page.text.slice(0, 500)}`);
  const inputs = (page.text.match(/<input[^>]*>/g) ?? []).filter(
    (tag) => attribute(tag, 'type') !== 'checkbox' || tag.includes(' checked'),
  );
  const fields = inputs.map((tag) => [attribute(tag, 'name') ?? '', attribute(tag, 'value') ?? ''] as const);
  return { action: attribute(form, 'action') ?? '', fields: Object.fromEntries(fields) };
}

/** The target of a redirect. */
export function destination(response: Response): URL {
  const location = response.get('Location');
  if (!location) throw new Error(`leads nowhere (${response.status}): ${response.text.slice(0, 500)}`);
  return new URL(location, 'http://auth.test');
}

/** The cookies that an answer sets, as a browser sends them back. */
export const cookiesOf = (answer: Response): string[] =>
  (answer.get('Set-Cookie') ?? []).map((one) => one.split(';', 1)[0] ?? '');

let addresses = 0;

/** A browser at an address of its own, or at the given one. */
export function createBrowser(server: Server, address?: string, userAgent?: string): Browser {
  addresses += 1;
  const agent = request.agent(server);
  agent.set('X-Forwarded-For', address ?? `10.0.${addresses >> 8}.${addresses & 255}`);
  if (userAgent !== undefined) agent.set('User-Agent', userAgent);
  const follow = async (response: Response): Promise<Response> => {
    const location = response.get('Location');
    if (!location || !location.startsWith('/')) return response;
    return follow(await agent.get(location).set('Accept', 'text/html'));
  };
  const open: Browser['open'] = async (path) => follow(await agent.get(path).set('Accept', 'text/html'));
  const begin: Browser['begin'] = async ({ client_id, redirect_uri }, parameters = {}) =>
    follow(
      await agent
        .post('/authorize')
        .type('form')
        .send({ client_id, redirect_uri, response_type: 'code', ...parameters }),
    );
  const post: Browser['post'] = async (path, fields) =>
    follow(await agent.post(path).type('form').send(fields));
  const submit: Browser['submit'] = (page, entered) => {
    const { action, fields } = formOf(page);
    return post(action, { ...fields, ...entered });
  };
  return {
    open,
    begin,
    submit,
    post,
    async signIn(client, { username, password, siteid }, parameters = {}) {
      const page = await begin(client, { siteid: String(siteid), ...parameters });
      return destination(await submit(page, { login: username, password }));
    },
    cookie: (name, value) => void agent.jar.setCookie(`${name}=${value}; Path=/`),
  };
}
