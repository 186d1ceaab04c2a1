import { hash, verify } from '@node-rs/argon2';
import { availableParallelism } from 'node:os';
import { perSecond } from './pace.ts';
import type { BenchMember, System } from './system.ts';

/** Hashes that the auth service has in flight at most by default (HASHES_AT_ONCE). */
const inFlight = Math.min(3, Math.max(1, availableParallelism() - 1));
/** Parameters of the auth service: argon2id, 19 MiB, two passes, one lane. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Comparisons of a password per second, and nothing else. */
export async function bareHashing(seconds: number): Promise<number> {
  const stored = await hash('violet-harbour-42', parameters);
  return perSecond(seconds, inFlight, async () => {
    if (!(await verify(stored, 'violet-harbour-42'))) throw new Error('not the password');
  });
}

const cookiesOf = (response: Response): string[] =>
  response.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');

const hidden = (page: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? '';

/** A whole sign-in at the hosted form, from /authorize to the code. */
async function signIn({ url, client, redirectUri }: System, { username, password }: BenchMember) {
  const jar = new Set<string>();
  const go = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = { cookie: [...jar].join('; ') };
    const response = await fetch(new URL(path, url), { ...init, headers, redirect: 'manual' });
    for (const cookie of cookiesOf(response)) jar.add(cookie);
    const location = response.headers.get('Location');
    if (!location || location.startsWith(redirectUri)) return response;
    await response.arrayBuffer();
    return go(location);
  };
  const query = {
    client_id: client.client_id,
    redirect_uri: redirectUri,
    response_type: 'code',
    siteid: '1',
  };
  const page = await go(`/authorize?${new URLSearchParams(query).toString()}`);
  const html = await page.text();
  const action = /<form[^>]*action="([^"]*)"/.exec(html)?.[1] ?? '';
  const form = { csrf: hidden(html, 'csrf'), login: username, password };
  const end = await go(action, { method: 'POST', body: new URLSearchParams(form) });
  await end.arrayBuffer();
  if (!end.headers.get('Location')?.includes('code=')) throw new Error(`not signed in: ${end.status}`);
}

/** Sign-ins per second with so many browsers at once. */
export function logins(system: System, seconds: number, browsers: number): Promise<number> {
  const { members } = system;
  return perSecond(seconds, browsers, async (browser) => {
    const member = members[browser % members.length];
    if (member) await signIn(system, member);
  });
}
