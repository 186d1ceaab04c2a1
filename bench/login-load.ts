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

/** Signs in on the hosted pages, from /authorize to the code. */
async function signIn(server: Pool, { client }: System, { username, password }: BenchMember): Promise<void> {
  const jar = new Set<string>();
  const go = async (
    path: string,
    form?: Record<string, string>,
  ): Promise<{ location: string; text: string }> => {
    const { headers, body } = await server.request({
      path,
      method: form ? 'POST' : 'GET',
      headers: {
        cookie: [...jar].join('; '),
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      body: form ? new URLSearchParams(form).toString() : null,
    });
    for (const cookie of [headers['set-cookie'] ?? []].flat()) jar.add(cookie.split(';')[0] ?? '');
    const text = await body.text();
    const location = String(headers['location'] ?? '');
    return location && !location.startsWith(redirectUri) ? go(location) : { location, text };
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
  if (!end.location.includes('code=')) throw new Error(`not signed in: ${end.text}`);
}

/** Sign-ins per second by parallel browsers. */
export async function signIns(system: System, seconds: number, browsers: number): Promise<number> {
  const server = new Pool(system.urlOf('auth'), { connections: browsers });
  try {
    const { perSecond } = await pace(seconds, browsers, async (browser) => {
      const member = system.members[browser % system.members.length];
      if (member) await signIn(server, system, member);
    });
    return perSecond;
  } finally {
    await server.close();
  }
}
