import { hash, verify } from '@node-rs/argon2';
import { availableParallelism } from 'node:os';
import { Pool, type Dispatcher } from 'undici';
import { perSecond } from './pace.ts';
import type { BenchMember, System } from './system.ts';

/** Parameters of the auth service: argon2id, 19 MiB, two passes, one lane. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** What a core for everything beside the hashes leaves of them. */
export const allButOneCore = Math.max(1, availableParallelism() - 1);

/** Comparisons of a password per second, so many at a time, and nothing else. */
export async function bareHashing(seconds: number, atOnce: number): Promise<number> {
  const stored = await hash('violet-harbour-42', parameters);
  return perSecond(seconds, atOnce, async () => {
    if (!(await verify(stored, 'violet-harbour-42'))) throw new Error('not the password');
  });
}

const cookiesOf = ({ headers }: Dispatcher.ResponseData): string[] =>
  [headers['set-cookie'] ?? []].flat().map((cookie) => cookie.split(';')[0] ?? '');

const hidden = (page: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? '';

interface Answer {
  readonly status: number;
  readonly location: string;
  readonly text: string;
}

/** A whole sign-in at the hosted form, from /authorize to the code. */
async function signIn(server: Pool, { client, redirectUri }: System, { username, password }: BenchMember) {
  const jar = new Set<string>();
  const go = async (path: string, form?: Record<string, string>): Promise<Answer> => {
    const response = await server.request({
      path,
      method: form ? 'POST' : 'GET',
      headers: {
        cookie: [...jar].join('; '),
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      body: form ? new URLSearchParams(form).toString() : null,
    });
    for (const cookie of cookiesOf(response)) jar.add(cookie);
    const text = await response.body.text();
    const location = String(response.headers['location'] ?? '');
    if (location && !location.startsWith(redirectUri)) return go(location);
    return { status: response.statusCode, location, text };
  };
  const query = {
    client_id: client.client_id,
    redirect_uri: redirectUri,
    response_type: 'code',
    siteid: '1',
  };
  const { text } = await go(`/authorize?${new URLSearchParams(query).toString()}`);
  const action = /<form[^>]*action="([^"]*)"/.exec(text)?.[1] ?? '';
  const end = await go(action, { csrf: hidden(text, 'csrf'), login: username, password });
  if (!end.location.includes('code=')) throw new Error(`not signed in: ${end.status}`);
}

/** Sign-ins per second with so many browsers at once. */
export async function logins(system: System, seconds: number, browsers: number): Promise<number> {
  const { members, url } = system;
  const server = new Pool(url, { connections: browsers });
  try {
    return await perSecond(seconds, browsers, async (browser) => {
      const member = members[browser % members.length];
      if (member) await signIn(server, system, member);
    });
  } finally {
    await server.close();
  }
}
