import autocannon from 'autocannon';
import { paceOf, type Pace } from './pace.ts';

/** A client application and refresh tokens of as many sign-ins, which the load moves on. */
export interface RefreshTarget {
  readonly url: string;
  readonly client: { readonly client_id: string; readonly client_secret: string };
  /** Replaced by their successors, so that another load can go on with them. */
  readonly tokens: string[];
}

/** Refreshes for some seconds, one family per connection, each token being that of the answer before. */
export async function loadRefreshes(target: RefreshTarget, seconds: number): Promise<Pace> {
  const { url, client, tokens } = target;
  const connections = tokens.length;
  let next = 0;
  const times: number[] = [];
  const load = autocannon({
    url,
    connections,
    duration: seconds,
    setupClient(connection) {
      const own = next;
      next += 1;
      const send = () => {
        const form = { ...client, grant_type: 'refresh_token', refresh_token: tokens[own] ?? '' };
        connection.setBody(new URLSearchParams(form).toString());
      };
      send();
      connection.on('body', (body: Buffer) => {
        const { refresh_token } = JSON.parse(body.toString()) as { refresh_token?: string };
        if (refresh_token === undefined) throw new Error(`no new token from ${url}: ${body.toString()}`);
        tokens[own] = refresh_token;
        send();
      });
      connection.on('response', (_status: number, _bytes: number, time: number) => times.push(time));
    },
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  const result = await load;
  if (result.non2xx || result.errors) throw new Error(`${result.non2xx + result.errors} refreshes failed`);
  return paceOf(times, result.duration);
}
