import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { startService, type ServiceUnderTest } from '../harness.ts';
import { destination, type Browser } from '../support/browser.ts';
import { moveDate } from '../support/move-date.ts';
import type { TestClient } from '../support/people.ts';

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
}

const minute = 60_000;
const hour = 60 * minute;

describe('a staff sign-in', () => {
  let auth: ServiceUnderTest;
  let client: TestClient;
  const username = 'on-duty';
  const password = 'copper-lantern-7';
  beforeAll(async () => {
    auth = await startService('staff-lifetimes');
    client = await auth.createClient({ staff: true });
    await auth.internal('/internal/staff/create', { username, password, roles: {} }).expect(200);
  });
  afterEach(() => {
    jest.useRealTimers();
  });
  afterAll(() => auth.close());

  const signIn = async (browser: Browser): Promise<Tokens> => {
    const end = destination(await browser.submit(await browser.begin(client), { login: username, password }));
    const code = end.searchParams.get('code') ?? '';
    const { body } = await auth.token({ ...client, grant_type: 'authorization_code', code }).expect(200);
    return body as Tokens;
  };
  const refresh = ({ refresh_token }: Tokens) =>
    auth.token({ ...client, grant_type: 'refresh_token', refresh_token });

  it('ends after half an hour without a refresh', async () => {
    const tokens = await signIn(auth.browser());
    expect(tokens.expires_in).toBe(600);
    moveDate(29 * minute);
    const next = (await refresh(tokens).expect(200)).body as Tokens;
    moveDate(29 * minute);
    const last = (await refresh(next).expect(200)).body as Tokens;
    moveDate(31 * minute);
    expect((await refresh(last)).body).toMatchObject({ error: 'invalid_grant' });
  });

  it('ends after twelve hours, however often it is refreshed', async () => {
    let tokens = await signIn(auth.browser());
    for (let passed = 0; passed < 11.5 * hour; passed += 29 * minute) {
      moveDate(29 * minute);
      tokens = (await refresh(tokens).expect(200)).body as Tokens;
    }
    moveDate(29 * minute);
    expect((await refresh(tokens)).body).toMatchObject({ error: 'invalid_grant' });
  });

  it('leaves a browser session for half an hour after its last use', async () => {
    const browser = auth.browser();
    await signIn(browser);
    expect((await browser.begin(client)).get('Location')).toBeDefined();
    await browser.open('/session/end');
    const { redis, config } = auth.context;
    const session = `${config.NAMESPACE}:auth:Session:*`;
    const keys = await redis.keys(session);
    const seconds = await Promise.all(keys.map((key) => redis.ttl(key)));
    expect(Math.max(...seconds)).toBeLessThanOrEqual(1_800);
    // A member's app sees the session too, and must not extend it.
    await browser.begin(auth.client);
    const after = await Promise.all((await redis.keys(session)).map((key) => redis.ttl(key)));
    expect(Math.max(...after)).toBeLessThanOrEqual(1_800);
  });
});
