import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { startService, type ServiceUnderTest } from '../harness.ts';
import { destination, type Browser } from '../support/browser.ts';
import type { TestClient } from '../support/people.ts';

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

const rolesIn = ({ access_token }: Pick<Tokens, 'access_token'>) => decodeJwt(access_token)['roles'];

describe('roles of staff accounts', () => {
  let auth: ServiceUnderTest;
  let client: TestClient;
  beforeAll(async () => {
    auth = await startService('staff-roles');
    client = await auth.createClient({ staff: true });
  });
  afterAll(() => auth.close());

  const password = 'copper-lantern-7';
  const create = (username: string, roles: object) =>
    auth.internal('/internal/staff/create', { username, password, roles });
  const set = (username: string, roles: object) =>
    auth.internal('/internal/staff/roles', { username, roles });
  const signIn = async (login: string, browser: Browser = auth.browser()): Promise<Tokens> => {
    const end = destination(await browser.submit(await browser.begin(client), { login, password }));
    const code = end.searchParams.get('code') ?? '';
    const { body } = await auth.token({ ...client, grant_type: 'authorization_code', code }).expect(200);
    return body as Tokens;
  };
  const refresh = ({ refresh_token }: Tokens) =>
    auth.token({ ...client, grant_type: 'refresh_token', refresh_token });

  it('are in access tokens, refreshed ones and those of the command line', async () => {
    const roles = { '*': ['support'], 2: ['moderator', 'search'] };
    await create('rosa', roles).expect(200);
    const tokens = await signIn('rosa');
    expect(rolesIn(tokens)).toEqual(roles);
    expect(rolesIn((await refresh(tokens).expect(200)).body as Tokens)).toEqual(roles);
    const command = await auth.internal('/internal/staff/token', { username: 'rosa' }).expect(200);
    expect(rolesIn(command.body as Tokens)).toEqual(roles);
    expect(rolesIn(await signInOfMember())).toBeUndefined();
  });

  const signInOfMember = async (): Promise<Tokens> => {
    const member = await auth.addMember();
    const browser = auth.browser();
    const page = await browser.begin(auth.client);
    const end = destination(
      await browser.submit(page, { login: member.username, password: member.password }),
    );
    const code = end.searchParams.get('code') ?? '';
    const { body } = await auth.token({ ...auth.client, grant_type: 'authorization_code', code }).expect(200);
    return body as Tokens;
  };

  it('change at once: every sign-in ends, and the next one has the new roles', async () => {
    await create('sam', { '*': ['admin'] }).expect(200);
    const browser = auth.browser();
    const tokens = await signIn('sam', browser);
    await set('Sam', { 2: ['support'] }).expect(200);
    expect((await refresh(tokens)).body).toMatchObject({ error: 'invalid_grant' });
    const { family = '' } = decodeJwt<{ family?: string }>(tokens.access_token);
    expect(await auth.context.tokens.families.find(family)).toMatchObject({ revoked_at: expect.any(Date) });
    // The browser's session asks for the credentials again.
    expect((await browser.begin(client)).status).toBe(200);
    expect(rolesIn(await signIn('sam'))).toEqual({ 2: ['support'] });
    await set('sam', {}).expect(200);
    expect(rolesIn(await signIn('sam'))).toEqual({});
    const ids = await auth.internal('/internal/staff/list', {}).expect(200);
    const { staff_id } = ids.body.staff.find(({ username }: { username: string }) => username === 'sam');
    const read = () => auth.internal('/internal/staff/read', { staff_id });
    await read().expect(200, { roles: {} });
    await set('sam', { 2: ['support'] }).expect(200);
    await read().expect(200, { roles: { 2: ['support'] } });
    await auth.internal('/internal/staff/disable', { username: 'sam', disabled: true }).expect(200);
    await read().expect(200, { roles: {} });
    await set('nobody', {}).expect(404);
  });

  it.each([
    ['an unknown role', { '*': ['owner'] }],
    ['a site that is no number', { first: ['support'] }],
    ['site 0, which is that of staff', { 0: ['support'] }],
    ['a site that does not exist', { 77: ['support'] }],
    [
      'more sites than fit into a token',
      Object.fromEntries(Array.from({ length: 31 }, (_, i) => [i + 1, ['support']])),
    ],
    ['no roles at all', undefined],
  ])('are refused: %s', async (_title, roles) => {
    expect((await create('tess', roles as object)).status).toBe(403);
    expect((await set('rosa', roles as object)).status).toBe(403);
  });
});
