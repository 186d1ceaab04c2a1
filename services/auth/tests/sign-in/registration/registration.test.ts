import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Failure, unavailable } from '@covalence/contract/failure';
import request, { type Response } from 'supertest';
import { startService, type ServiceUnderTest } from '../../harness.ts';
import { destination, formOf, type Browser } from '../../support/browser.ts';
import type { HostedRegistration } from '../../support/profile-peer.ts';

let auth: ServiceUnderTest;
let register: ServiceUnderTest['profile']['register'];
let people = 0;
beforeAll(async () => {
  auth = await startService('registration');
  register = auth.profile.register;
});
afterEach(() => {
  auth.profile.register = register;
});
afterAll(() => auth.close());

const create = { prompt: 'create', siteid: '3', state: 'a b&c' };
/** Entries of the registration form; site 3 requires a headline. */
const entries = () => {
  people += 1;
  return {
    gender: 'Male',
    gender_preference: 'Female',
    date_of_birth: '1990-05-17',
    username: `newcomer${people}`,
    password: 'quiet-meadow-77',
    email: `newcomer${people}@mail.example`,
    city: '',
    state: '',
    zip: '78701',
    country: 'US',
    headline: 'Lakes & <walks>',
  };
};
const send = async (browser: Browser, fields: object, parameters: Record<string, string> = create) =>
  browser.submit(await browser.begin(auth.client, parameters), { ...fields });
/** Hands every registration over to `answer` instead. */
const answerWith = (answer: () => Promise<{ failed?: Record<string, number>; abandoned?: boolean }>) => {
  const seen: HostedRegistration[] = [];
  auth.profile.register = async (input) => {
    seen.push(input);
    return { failed: {}, abandoned: false, ...(await answer()) };
  };
  return seen;
};
const codeIn = (response: Response) => destination(response).searchParams.get('code') ?? '';

describe('prompt=create', () => {
  it('is in the discovery document', async () => {
    const { body } = await request(auth.server).get('/.well-known/openid-configuration').expect(200);
    expect(body.prompt_values_supported).toEqual(['none', 'login', 'create']);
  });

  it('asks for what the site requires, registers, and ends like a sign-in', async () => {
    const browser = auth.browser('192.0.2.77');
    const seen: HostedRegistration[] = [];
    auth.profile.register = (input) => {
      seen.push(input);
      return register(input);
    };
    const page = await browser.begin(auth.client, { ...create, locale: 'de_DE' });
    expect(page.text).toContain('<html lang="de-DE">');
    const fields = entries();
    const asked = Object.keys(formOf(page).fields).filter((name) => name in fields);
    expect(asked).toEqual([
      'date_of_birth',
      'username',
      'password',
      'email',
      'city',
      'state',
      'zip',
      'headline',
    ]);
    const end = await browser.submit(page, fields);
    expect(destination(end).searchParams.get('state')).toBe(create.state);
    const { city: _city, state: _state, ...given } = fields;
    expect(seen).toEqual([
      {
        member_id: expect.any(String),
        client_id: auth.client.client_id,
        siteid: 3,
        address: '192.0.2.77',
        email_confirmed: false,
        parameters: { ...given, date_of_birth: '05/17/1990', locale: 'de_DE' },
      },
    ]);
    const form = { ...auth.client, grant_type: 'authorization_code', code: codeIn(end) };
    await auth.token(form).expect(200);
    expect(codeIn(await browser.begin(auth.client))).not.toBe('');
  });

  it('opens the page for a signed-in member too, who becomes the new one', async () => {
    const [member, browser] = [await auth.addMember({ siteid: 3 }), auth.browser()];
    await browser.signIn(auth.client, member);
    const code = codeIn(await send(browser, entries()));
    const { body } = await auth.token({ ...auth.client, grant_type: 'authorization_code', code }).expect(200);
    const [, payload = ''] = String(body.access_token).split('.');
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).not.toMatchObject({
      sub: member.member_id,
    });
  });

  it('is answered by a sign-in instead, and the login form leads to it', async () => {
    const [member, browser] = [await auth.addMember({ siteid: 3 }), auth.browser()];
    const page = await browser.begin(auth.client, create);
    const [, login = ''] = /href="(\/login\/[\w-]+)"/.exec(page.text) ?? [];
    const form = await browser.open(login);
    expect(form.text).toContain(`href="${login}/register"`);
    expect(
      codeIn(await browser.submit(form, { login: member.username, password: member.password })),
    ).not.toBe('');
  });

  it('asks for the site where the request names none', async () => {
    const browser = auth.browser();
    const choice = await browser.begin(auth.client, { prompt: 'create' });
    const paths = [...choice.text.matchAll(/href="(\/login\/[^"]*site=\d)"/g)].map(([, path = '']) => path);
    expect(paths).toHaveLength(3);
    const end = await browser.submit(await browser.open(paths[2] ?? ''), entries());
    expect(codeIn(end)).not.toBe('');
  });

  it('is refused to the staff client, whose login form offers no registration', async () => {
    const staff = await auth.createClient({ staff: true });
    const browser = auth.browser();
    const back = destination(await browser.begin(staff, { prompt: 'create' }));
    expect(back.searchParams.get('error')).toBe('invalid_request');
    const login = await browser.begin(staff);
    expect(login.text).not.toContain('/register');
    const { status } = await browser.open(`${formOf(login).action}/register`);
    expect(status).toBe(200);
    expect(formOf(await browser.open(`${formOf(login).action}/register`)).action).toMatch(
      /^\/login\/[\w-]+$/,
    );
  });
});

describe('the registration page', () => {
  it('shows each mistake at its field, the first one with the focus, and keeps everything but the password', async () => {
    answerWith(() => Promise.resolve({ failed: { username: 10101, date_of_birth: 10402, city: 10051 } }));
    const fields = entries();
    const page = await send(auth.browser(), fields);
    expect(page.status).toBe(200);
    const controls = [...page.text.matchAll(/<(?:input|select)[^>]* aria-invalid="true"[^>]*>/g)].map(
      ([tag]) => tag,
    );
    expect(controls.map((tag) => [/id="(\w+)"/.exec(tag)?.[1], tag.includes(' autofocus')])).toEqual([
      ['date_of_birth', true],
      ['username', false],
      ['city', false],
    ]);
    expect(controls[0]).toContain('aria-describedby="date_of_birth-problem"');
    expect(page.text).toContain('at least 18 years old');
    expect(page.text).toContain('This username is taken');
    expect(formOf(page).fields).toMatchObject({
      username: fields.username,
      headline: fields.headline,
      password: '',
    });
    expect(page.text).toContain('<option value="US" selected>');
    expect(page.text).not.toContain('<walks>');
  });

  it('registers one member when the answer is lost and the form is sent again', async () => {
    const browser = auth.browser();
    const ids: string[] = [];
    auth.profile.register = async (input) => {
      ids.push(input.member_id);
      const answer = await register(input);
      if (ids.length === 1) throw unavailable();
      return answer;
    };
    const fields = entries();
    const away = await send(browser, fields);
    expect(away.status).toBe(503);
    expect(formOf(away).fields).toMatchObject({ username: fields.username });
    expect(codeIn(await browser.submit(away, fields))).not.toBe('');
    expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
  });

  it('is another registration with another entry, after a given-up one, and in another browser', async () => {
    const seen = answerWith(() => Promise.resolve({ abandoned: true }));
    const [browser, other] = [auth.browser(), auth.browser()];
    const fields = entries();
    const page = await browser.begin(auth.client, create);
    const given = await browser.submit(page, fields);
    expect(given.status).toBe(503);
    await browser.submit(page, { ...fields, password: 'another-meadow-78' });
    await browser.submit(given, fields);
    await send(other, fields);
    expect(new Set(seen.map(({ member_id }) => member_id)).size).toBe(4);
  });

  it('says when its address has registered too often', async () => {
    const headers = { 'Retry-After': '120' };
    answerWith(() => Promise.reject(new Failure(429, 'Too Many Requests', { headers })));
    const page = await send(auth.browser(), entries());
    expect([page.status, page.get('Retry-After')]).toEqual([429, '120']);
    expect(page.text).toContain('try again in 2 min');
  });

  it('rejects a form of another browser, and fields that it does not ask for', async () => {
    const [browser, other] = [auth.browser(), auth.browser()];
    const seen = answerWith(() => Promise.resolve({}));
    const [page, foreign] = [
      await browser.begin(auth.client, create),
      await other.begin(auth.client, create),
    ];
    const { csrf = '' } = formOf(foreign).fields;
    expect((await browser.submit(page, { ...entries(), csrf })).status).toBe(403);
    expect((await browser.submit(page, { ...entries(), searchable: 'true' })).status).toBe(403);
    expect(
      (await browser.post(formOf(foreign).action, { ...formOf(foreign).fields, ...entries() })).status,
    ).toBe(400);
    expect(seen).toEqual([]);
  });
});
