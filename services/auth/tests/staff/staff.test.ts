import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { admissionKeys, admissionOf } from '@covalence/contract/admission-flag';
import { decodeJwt } from 'jose';
import { NIL } from 'uuid';
import { claimId, staffSite } from '../../src/accounts/names/names.ts';
import { startService, type ServiceUnderTest } from '../harness.ts';
import type { TestClient } from '../support/people.ts';
import { destination, type Browser } from '../support/browser.ts';

describe('staff accounts', () => {
  let auth: ServiceUnderTest;
  let client: TestClient;
  beforeAll(async () => {
    auth = await startService('staff');
    client = await auth.createClient({ staff: true });
  });
  afterAll(() => auth.close());

  const password = 'a-long-staff-password';
  const roles = { '*': ['support'] };
  const add = (username: string) => auth.internal('/internal/staff/create', { username, password, roles });
  const answerOf = async (path: string, username: string, tried: string) =>
    (await auth.internal(path, { username, password: tried, roles })).body as unknown;
  const disable = (username: string, disabled = true) =>
    auth.internal('/internal/staff/disable', { username, disabled });
  const command = (username: string) => auth.internal('/internal/staff/token', { username });
  const admission = async (keys: readonly string[]) =>
    admissionOf(await Promise.all(keys.map((key) => auth.context.redis.get(key))), Date.now() / 1000);
  const enter = async (browser: Browser, login: string, parameters = {}) =>
    browser.submit(await browser.begin(client, parameters), { login, password });

  it('are listed by name, without secrets', async () => {
    for (const name of ['Zoe', 'adam']) await add(name).expect(200);
    await disable('zoe').expect(200);
    const listed = await auth.internal('/internal/staff/list', {}).expect(200);
    expect(listed.body).toEqual({
      staff: [
        { staff_id: expect.any(String), username: 'adam', disabled: false, roles },
        { staff_id: expect.any(String), username: 'Zoe', disabled: true, roles },
      ],
    });
  });

  it('have every change by a command in the audit log', async () => {
    const { staff_id } = (await add('Olga').expect(200)).body as { staff_id: string };
    await auth.internal('/internal/staff/roles', { username: 'olga', roles }).expect(200);
    await auth.internal('/internal/staff/password', { username: 'olga', password }).expect(200);
    await auth.internal('/internal/staff/factor/reset', { username: 'olga' }).expect(200);
    await disable('olga').expect(200);
    await add('olga').expect(403);
    const entries = await auth.context.audit.find({ about: [staff_id] }, 10);
    expect(entries.map(({ staff, call }) => [staff, call])).toEqual(
      ['disable', 'factor/reset', 'password', 'roles', 'create'].map((what) => [
        NIL,
        `POST /internal/staff/${what}`,
      ]),
    );
  });

  it('cannot sign in, refresh or use their session while disabled', async () => {
    await add('mary').expect(200);
    const browser = auth.browser();
    const code = destination(await enter(browser, 'mary')).searchParams.get('code') ?? '';
    const tokens = await auth.token({ ...client, grant_type: 'authorization_code', code }).expect(200);
    const { refresh_token } = tokens.body as { refresh_token: string };
    const refresh = () => auth.token({ ...client, grant_type: 'refresh_token', refresh_token });

    await disable('Mary').expect(200);
    expect((await refresh().expect(400)).body).toMatchObject({ error: 'invalid_grant' });
    // The session does not open the door anymore; the form does not either.
    expect((await browser.begin(client)).status).toBe(200);
    expect((await enter(browser, 'mary', { prompt: 'login' })).status).toBe(403);

    await disable('mary', false).expect(200);
    expect(destination(await enter(auth.browser(), 'mary')).searchParams.get('code')).toBeTruthy();
    // Tokens issued before stay revoked.
    await refresh().expect(400);
  });

  it('lose the tokens of the command line at once and permanently when they are disabled', async () => {
    await add('terry').expect(200);
    await add('una').expect(200);
    const admissionKeysOf = async (username: string) => {
      const { access_token } = (await command(username).expect(200)).body as { access_token: string };
      const { family, client_id } = decodeJwt<{ family?: string; client_id: string }>(access_token);
      return admissionKeys(auth.context.config.NAMESPACE, { id: 0, family, clientId: client_id });
    };
    const [first, second, others] = [
      await admissionKeysOf('terry'),
      await admissionKeysOf('terry'),
      await admissionKeysOf('una'),
    ];
    for (const keys of [first, second, others]) expect(await admission(keys)).toBe('good');

    await disable('terry').expect(200);
    for (const keys of [first, second]) expect(await admission(keys)).toBe('ended');
    expect(await admission(others)).toBe('good');
    await command('terry').expect(404);

    await disable('terry', false).expect(200);
    expect(await admission(first)).toBe('ended');
    expect(await admission(await admissionKeysOf('terry'))).toBe('good');
  });

  it('get no token that is requested while they are being disabled', async () => {
    await add('vera').expect(200);
    const tokens: string[] = [];
    const ask = async () => {
      const answer = await auth.internal('/internal/staff/token', { username: 'vera' });
      if (answer.status === 200) tokens.push((answer.body as { access_token: string }).access_token);
    };
    await Promise.all([ask(), ask(), disable('vera').expect(200), ask(), ask()]);
    for (const token of tokens) {
      const { family = '' } = decodeJwt<{ family?: string }>(token);
      expect(await auth.context.tokens.families.find(family)).toMatchObject({ revoked_at: expect.any(Date) });
    }
    const [claim] = await auth.context.accounts.claims.find([claimId(staffSite, 'username', 'vera')]);
    expect(await auth.context.tokens.families.of(claim?.member_id ?? '', new Date(), 100)).toEqual([]);
  });

  it('are signed out everywhere by a new password', async () => {
    await add('grace').expect(200);
    const change = (username: string, to: string) =>
      auth.internal('/internal/staff/password', { username, password: to });
    const browser = auth.browser();
    const code = destination(await enter(browser, 'grace')).searchParams.get('code') ?? '';
    const tokens = await auth.token({ ...client, grant_type: 'authorization_code', code }).expect(200);
    const { refresh_token } = tokens.body as { refresh_token: string };
    // An attacker's guesses must not keep the account locked.
    const guesser = auth.browser();
    const page = await guesser.begin(client);
    for (let turn = 0; turn < 5; turn += 1)
      await guesser.submit(page, { login: 'grace', password: `guess ${turn}` });

    await change('Grace', 'another-staff-password').expect(200);
    await auth.token({ ...client, grant_type: 'refresh_token', refresh_token }).expect(400);
    expect((await browser.begin(client)).get('Location')).toBeUndefined();
    expect((await enter(auth.browser(), 'grace')).get('Location')).toBeUndefined();
    const fresh = auth.browser();
    const entry = { login: 'grace', password: 'another-staff-password' };
    expect(
      destination(await fresh.submit(await fresh.begin(client), entry)).searchParams.get('code'),
    ).toBeTruthy();
    await change('nobody', 'another-staff-password').expect(404);
  });

  it('have passwords that follow the rules', async () => {
    await add('ada').expect(200);
    const refused = { fail: 'Invalid Argument', failcode: [10201] };
    for (const bad of ['short', 'password1', 'x'.repeat(257)]) {
      expect(await answerOf('/internal/staff/create', 'somebody', bad)).toEqual(refused);
      expect(await answerOf('/internal/staff/password', 'ada', bad)).toEqual(refused);
    }
    expect(await answerOf('/internal/staff/create', 'a-name-as-one', 'A-Name-As-One')).toEqual(refused);
  });

  it('are 404 when they do not exist or belong to a member', async () => {
    const member = await auth.addMember();
    for (const name of ['nobody', member.username]) expect((await disable(name)).status).toBe(404);
  });
});
