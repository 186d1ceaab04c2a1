import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@covalence/testing/until';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startService, type ServiceUnderTest } from '../../harness.ts';

describe('a late refresh fails without revoking the family', () => {
  let auth: ServiceUnderTest;
  beforeAll(async () => {
    auth = await startService('laterefresh');
  });
  afterAll(() => auth.close());

  const formOf = (refresh_token: string) => {
    const { client_id, client_secret } = auth.client;
    return { client_id, client_secret, grant_type: 'refresh_token', refresh_token };
  };
  const refresh = (token: string) => auth.token(formOf(token));
  const next = async (token: string) => {
    const { body } = await refresh(token).expect(200);
    return (body as { refresh_token: string }).refresh_token;
  };
  const error = async (token: string) => ((await refresh(token).expect(400)).body as { error: string }).error;
  const signIn = async () => {
    const end = await auth.browser().signIn(auth.client, await auth.addMember());
    const code = end.searchParams.get('code') ?? '';
    const pair = await auth.token({ ...auth.client, grant_type: 'authorization_code', code }).expect(200);
    return (pair.body as { refresh_token: string }).refresh_token;
  };
  /** Holds whatever reads a family from now on, until released; what comes after `untilHeld` goes on as before. */
  const holdReads = () => {
    const { families } = auth.context.tokens;
    const original = { ...families };
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let held = 0;
    families.find = async (id) => {
      held += 1;
      await released;
      return original.find(id);
    };
    const untilHeld = async () => {
      await until('a request waits for its family', () => held > 0);
      Object.assign(families, original);
    };
    return { untilHeld, release };
  };

  it('when it arrived before the last exchange', async () => {
    const first = await signIn();
    const { untilHeld, release } = holdReads();
    const late = error(first);
    await untilHeld();
    const third = await next(await next(first));
    release();
    expect(await late).toBe('invalid_grant');
    const fourth = await next(third);
    // A request that comes in afterward is a reuse.
    expect(await error(first)).toBe('invalid_grant');
    expect(await error(fourth)).toBe('invalid_grant');
  });

  it('when its client has closed the connection', async () => {
    const first = await signIn();
    const third = await next(await next(first));
    const { provider } = await auth.context.tokens.server.current();
    const refused = once(provider, 'grant.error');
    const gone = once(auth.server, 'request').then(([, response]) =>
      once(response as ServerResponse, 'close'),
    );
    const abandoned = new AbortController();
    const { untilHeld, release } = holdReads();
    const { port } = auth.server.address() as AddressInfo;
    const body = new URLSearchParams(formOf(first));
    const url = `http://127.0.0.1:${port}/token`;
    const sent = fetch(url, { method: 'POST', body, signal: abandoned.signal }).catch(() => undefined);
    await untilHeld();
    abandoned.abort();
    await Promise.all([sent, gone]);
    release();
    await refused;
    expect(await next(third)).toEqual(expect.any(String));
  });
});
