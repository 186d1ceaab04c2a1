import { createSoftwareAuthenticator } from '@covalence/testing/software-authenticator';
import { hash, verify } from '@node-rs/argon2';
import { availableParallelism } from 'node:os';
import { Pool } from 'undici';
import { pace } from './load.ts';
import { redirectUri, type BenchMember, type System } from './system.ts';

const password = 'violet-harbour-42';

/** The parameters of the auth service: argon2id, 19 MiB, two passes, one lane. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Password verifications per second on all cores but one. */
export async function bareHashing(seconds: number): Promise<number> {
  const stored = await hash(password, parameters);
  const { perSecond } = await pace(seconds, Math.max(1, availableParallelism() - 1), async () => {
    if (!(await verify(stored, password))) throw new Error('the password does not match');
  });
  return perSecond;
}

const hidden = (page: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? '';

const optionsOf = (page: string): string =>
  (/data-options="([^"]*)"/.exec(page)?.[1] ?? '').replaceAll('&quot;', '"');

/** An answer, after redirects within the service. */
interface Answer {
  readonly location: string;
  readonly text: string;
}

/** A browser that keeps cookies and follows redirects within the service. */
function browse(server: Pool, system: System) {
  const jar = new Map<string, string>();
  const origin = system.urlOf('auth');
  return async function go(path: string, form?: Record<string, string>): Promise<Answer> {
    const { headers, body } = await server.request({
      path,
      method: form ? 'POST' : 'GET',
      headers: {
        cookie: [...jar].map((pair) => pair.join('=')).join('; '),
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      body: form ? new URLSearchParams(form).toString() : null,
    });
    for (const cookie of [headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      jar.set(name, value);
    }
    const text = await body.text();
    const location = String(headers['location'] ?? '');
    if (!location) return { location, text };
    const target = new URL(location, origin);
    return target.origin === origin ? go(target.pathname + target.search) : { location, text };
  };
}

type Go = ReturnType<typeof browse>;

/** The fields that a member enters into the login form. */
type Enter = (page: string) => Record<string, string>;

/** A member with a way to sign in. */
type SignIn = (browser: number) => Enter;

/** Sends the login form of a page. */
function enter(go: Go, page: string, fields: Enter): Promise<Answer> {
  const action = /<form[^>]*action="([^"]*)"/.exec(page)?.[1] ?? '';
  return go(action, { csrf: hidden(page, 'csrf'), ...fields(page) });
}

const byPassword =
  ({ username, password }: BenchMember): Enter =>
  () => ({ login: username, password });

const memberOf = ({ members }: System, browser: number): BenchMember => {
  const member = members[browser % members.length];
  if (!member) throw new Error('no members');
  return member;
};

/** Signs in by password. */
const withPasswords =
  (system: System): SignIn =>
  (browser) =>
    byPassword(memberOf(system, browser));

/** Adds a passkey for the member of each browser, and signs in with it. */
export async function withPasskeys(system: System, browsers: number): Promise<SignIn> {
  const authenticator = createSoftwareAuthenticator(system.urlOf('auth'));
  const server = new Pool(system.urlOf('auth'));
  const add = async (browser: number): Promise<Enter> => {
    const go = browse(server, system);
    const login = await go('/account/passkeys');
    const { text } = await enter(go, login.text, byPassword(memberOf(system, browser)));
    const { passkey, answer } = authenticator.create(optionsOf(text));
    const form = { csrf: hidden(text, 'csrf'), challenge: hidden(text, 'challenge') };
    const added = await go('/account/passkeys', { ...form, action: 'add', credential: answer });
    if (!added.text.includes(passkey.id)) throw new Error(`no passkey: ${added.text}`);
    return (page) => ({
      challenge: hidden(page, 'challenge'),
      credential: authenticator.get(optionsOf(page), passkey),
    });
  };
  try {
    const ways: Enter[] = [];
    for (let browser = 0; browser < browsers; browser += 1) ways.push(await add(browser));
    return (browser) => ways[browser % ways.length] ?? (() => ({}));
  } finally {
    await server.close();
  }
}

/** Signs in on the hosted pages, from /authorize to the code. */
async function signIn(go: Go, { client }: System, fields: Enter): Promise<void> {
  const query = {
    client_id: client.client_id,
    redirect_uri: redirectUri,
    response_type: 'code',
    siteid: '1',
  };
  const { text } = await go(`/authorize?${new URLSearchParams(query).toString()}`);
  const end = await enter(go, text, fields);
  if (!end.location.includes('code=')) throw new Error(`not signed in: ${end.text}`);
}

/** Signs the member of a turn in by password. */
export const signingIn = (system: System, server: Pool) => (turn: number) =>
  signIn(browse(server, system), system, withPasswords(system)(turn));

/** Sign-ins per second by parallel browsers, by password unless another way is given. */
export async function signIns(
  system: System,
  seconds: number,
  browsers: number,
  way: SignIn = withPasswords(system),
): Promise<number> {
  const server = new Pool(system.urlOf('auth'), { connections: browsers });
  try {
    const { perSecond } = await pace(seconds, browsers, (browser) =>
      signIn(browse(server, system), system, way(browser)),
    );
    return perSecond;
  } finally {
    await server.close();
  }
}
