import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startStackUnderTest, type StackUnderTest } from '@covalence/testing/stack-under-test';
import { until } from '@covalence/testing/until';
import { fetchKit, generatedClient, run, type Kit } from '../generated-client.ts';
import { languages } from '../languages.ts';

interface Found {
  readonly users: readonly { readonly id: number }[];
}

/** Clients that OpenAPI Generator makes of the document: they compile, and each makes the same journey. */
describe('a generated client', () => {
  let stack: StackUnderTest;
  let kit: Kit;
  let other: number;

  const call = async <Answer>(path: string, body: object, token?: string): Promise<Answer> => {
    const headers = {
      'Content-Type': 'application/json',
      ...(token && { Authorization: `Bearer ${token}` }),
    };
    const answer = await fetch(`${stack.url}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Answer;
  };

  const register = async (username: string, more: object) => {
    const { client_id, client_secret, redirect_uri } = stack.demo;
    const app = { client_id, client_secret };
    const password = 'violet-queues-9';
    const place = { country: 'US', zip: '68502', siteid: 1 };
    const member = { ...app, username, password, email: `${username}@mail.example`, ...place, ...more };
    const { id, code } = await call<{ id: number; code: string }>('/members', member);
    const exchange = { ...app, redirect_uri, code, grant_type: 'authorization_code' };
    return { id, ...(await call<{ access_token: string }>('/token', exchange)) };
  };

  beforeAll(async () => {
    [kit, stack] = await Promise.all([fetchKit(), startStackUnderTest()]);
    const man = { gender: 'Male', gender_preference: 'Female', date_of_birth: '09/02/1988', smoking: 20 };
    const woman = { gender: 'Female', gender_preference: 'Male', date_of_birth: '04/23/1990' };
    ({ id: other } = await register('tom', man));
    const { access_token } = await register('nora', woman);
    await until('the other member in the index', async () => {
      const { users } = await call<Found>('/searches', { age: { from: 30 } }, access_token);
      return users.some(({ id }) => id === other);
    });
  }, 300_000);
  afterAll(() => stack?.stop());

  it.each(Object.entries(languages))(
    'in %s compiles, and registers, reads the own record, searches and likes',
    async (name, language) => {
      const folder = await generatedClient(name, language, kit);
      const { client_id, client_secret, redirect_uri } = stack.demo;
      const username = `made${name}`;
      const output = await run(language.run(folder, kit), {
        BASE_URL: stack.url,
        CLIENT_ID: client_id,
        CLIENT_SECRET: client_secret,
        REDIRECT_URI: redirect_uri,
        MEMBER_USERNAME: username,
        MEMBER_PASSWORD: 'violet-queues-9',
        MEMBER_EMAIL: `${username}@mail.example`,
      });
      const lines = output.split('\n').map((line) =>
        line
          .replaceAll(/[[\],]/g, '')
          .replaceAll(/\s+/g, ' ')
          .trim(),
      );
      expect(lines).toEqual(
        expect.arrayContaining([
          `own ${username} smoking 10`,
          'choices 10 20 30 40',
          `found ${other}`,
          'relation liked',
          'archive smoking 10',
          'refused 403 80013',
        ]),
      );
    },
    600_000,
  );
});
