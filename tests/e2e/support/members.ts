import { randomBytes } from 'node:crypto';
import request from 'supertest';
import { tokensFor, type ClientApp, type TokenPair } from './sign-in.ts';

/** A registered member with the tokens of its session. */
export interface TestMember {
  readonly id: number;
  readonly username: string;
  readonly password: string;
  readonly record: Record<string, unknown>;
  readonly tokens: TokenPair;
}

/** Parameters of a man who looks for women; the default is the reverse. */
export const male = { gender: 'Male', genderpreference: 'Female' };

/** A valid registration; `overrides` replace parameters, or remove them with undefined. */
export function registration(
  app: ClientApp,
  overrides: Record<string, unknown> = {},
): Record<string, unknown> {
  const username = `member${randomBytes(5).toString('hex')}`;
  return {
    client_id: app.client_id,
    client_secret: app.client_secret,
    siteid: 1,
    gender: 'Female',
    genderpreference: 'Male',
    dateofbirth: '04/23/1990',
    username,
    password: `violet-${randomBytes(5).toString('hex')}-9`,
    email: `${username}@mail.example`,
    city: 'Lincoln',
    state: 'Nebraska',
    zip: '68502',
    country: 'US',
    latitude: 40.789,
    longitude: -96.693,
    ...overrides,
  };
}

/** Registers a member and exchanges the code. */
export async function registerMember(
  base: string,
  app: ClientApp,
  overrides: Record<string, unknown> = {},
): Promise<TestMember> {
  const parameters = registration(app, overrides);
  const response = await request(base).post('/members').send(parameters);
  if (response.status !== 200) throw new Error(`not registered: ${response.status} ${response.text}`);
  const { code, ...record } = response.body as { code: string; id: number };
  return {
    id: record.id,
    username: String(parameters['username']),
    password: String(parameters['password']),
    record,
    tokens: await tokensFor(base, app, code),
  };
}

/** Calls the API as a member. */
export function as(base: string, member: { tokens: Pick<TokenPair, 'access_token'> }) {
  const authorization = `Bearer ${member.tokens.access_token}`;
  return {
    get: (path: string) => request(base).get(path).set('Authorization', authorization),
    post: (path: string, body: object = {}) =>
      request(base).post(path).set('Authorization', authorization).send(body),
    delete: (path: string) => request(base).delete(path).set('Authorization', authorization),
  };
}
