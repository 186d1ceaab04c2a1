import { formOf, pathOf, type ClientApp, type Login } from '../../e2e/support/sign-in.ts';
import type { Answered, Call, Caller } from './caller.ts';

const hops = 8;

/** A cookie jar for one origin. */
function createBrowser(call: Caller) {
  const cookies = new Map<string, string>();
  return async (request: Omit<Call, 'what'>): Promise<Answered> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answered = await call({ ...request, what: 'sign in', page: true, headers: { Cookie: cookie } });
    for (const line of answered.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    return answered;
  };
}

/** Signs in on the hosted pages and returns the code; undefined when a step fails, and the member retries later. */
export async function signIn(
  call: Caller,
  base: string,
  { client_id, redirect_uri }: ClientApp,
  { username, password }: Login,
): Promise<string | undefined> {
  const visit = createBrowser(call);
  const follow = async (first: Answered): Promise<Answered | URL | undefined> => {
    let answered = first;
    for (let hop = 0; hop < hops && answered.outcome === 'ok'; hop += 1) {
      const location = answered.headers.get('Location');
      if (!location) return answered;
      if (location.startsWith(redirect_uri)) return new URL(location);
      answered = await visit({ path: pathOf(location, base) });
    }
    return undefined;
  };
  const page = await follow(
    await visit({ path: '/authorize', form: { client_id, redirect_uri, response_type: 'code' } }),
  );
  if (!page || page instanceof URL) return undefined;
  const { action, fields } = formOf(page.text);
  const back = await follow(
    await visit({ path: pathOf(action, base), form: { ...fields, login: username, password } }),
  );
  return back instanceof URL ? (back.searchParams.get('code') ?? undefined) : undefined;
}
