import { createDeviceKey } from '@covalence/testing/device-key';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import request from 'supertest';
import { startAuth, type AuthUnderTest } from '../harness.ts';
import { destination } from '../support/browser.ts';
import type { TestMember } from '../support/people.ts';
import {
  nativeClientId,
  newPerson,
  startProviders,
  storeLink,
  type TestProviders,
} from '../support/providers.ts';

type Body = Readonly<Record<string, string | number>>;

interface Documented {
  readonly paths: Readonly<
    Record<
      string,
      {
        readonly post: {
          readonly requestBody: {
            readonly content: {
              readonly 'application/json': { readonly examples: Readonly<Record<string, { value: Body }>> };
            };
          };
        };
      }
    >
  >;
}

const file = new URL('../../../../gateway/documents/openapi.json', import.meta.url);
const { paths } = JSON.parse(readFileSync(file, 'utf8')) as Documented;

const examplesOf = (path: '/par' | '/token') =>
  Object.entries(paths[path]?.post.requestBody.content['application/json'].examples ?? {}).map(
    ([name, { value }]) => [name, value] as const,
  );

/** Every example, once in each of the formats. */
const calls = (path: '/par' | '/token') =>
  examplesOf(path).flatMap(([name, value]) =>
    (['json', 'form'] as const).map((format) => [name, format, value] as const),
  );

/** An example with values of this run; nothing is added. */
const filled = (example: Body, values: Body): Body =>
  Object.fromEntries(Object.entries(example).map(([name, value]) => [name, values[name] ?? value]));

describe('the examples of the interface documents', () => {
  let auth: AuthUnderTest;
  let providers: TestProviders;
  let member: TestMember;
  /** Credentials by redirect address: of the app without a secret, and of the one on a server. */
  const clients = new Map<unknown, Body>();
  const [, push = {}] = examplesOf('/par').find(([name]) => name === 'public') ?? [];
  const [, pushed = {}] = examplesOf('/par').find(([name]) => name === 'server') ?? [];
  beforeAll(async () => {
    providers = await startProviders();
    auth = await startAuth('documented-examples', providers.settings);
    member = await auth.addMember();
    for (const [{ redirect_uri = '' }, isPublic] of [
      [push, true],
      [pushed, false],
    ] as const) {
      const { client_id, client_secret } = await auth.createClient({
        public: isPublic,
        redirect_uri: String(redirect_uri),
      });
      clients.set(redirect_uri, { client_id, ...(!isPublic && { client_secret }) });
    }
  });
  afterAll(async () => {
    await auth.close();
    providers.close();
  });

  const send = (path: string, format: 'json' | 'form', body: Body) =>
    request(auth.server).post(path).type(format).send(body);

  /** A code of the sign-in that an example of /par begins. */
  const codeOf = async (example: Body, format: 'json' | 'form' = 'form') => {
    const credentials = clients.get(example['redirect_uri']) ?? {};
    const { body } = await send('/par', format, filled(example, credentials)).expect(201);
    const { request_uri } = body as { request_uri: string };
    const browser = auth.browser();
    const query = new URLSearchParams({ client_id: String(credentials['client_id']), request_uri });
    const page = await browser.open(`/authorize?${query.toString()}`);
    const end = destination(
      await browser.submit(page, { login: member.username, password: member.password }),
    );
    expect(end.searchParams.get('state')).toBe(example['state']);
    return end.searchParams.get('code') ?? '';
  };

  it.each(calls('/par'))('begin a sign-in at /par: %s as %s', async (_name, format, example) => {
    expect(await codeOf(example, format)).toBeTruthy();
  });

  /** What a run of the service has instead of the values of each example. */
  const valuesFor: Readonly<Record<string, () => Promise<Body>>> = {
    example: async () => ({ code: await codeOf(push) }),
    dpop: async () => ({ code: await codeOf(push) }),
    server: async () => ({ code: await codeOf(pushed) }),
    async refresh() {
      const [, example = {}] = examplesOf('/token').find(([name]) => name === 'example') ?? [];
      const values = { ...clients.get(push['redirect_uri']), code: await codeOf(push) };
      const { body } = await send('/token', 'form', filled(example, values)).expect(200);
      return { refresh_token: (body as { refresh_token: string }).refresh_token };
    },
    async exchange() {
      const person = await auth.addMember();
      const { sub } = newPerson(providers.apple);
      await storeLink(auth, person, sub, 'apple');
      const { nonce } = (await request(auth.server).post('/identity/nonce').expect(200)).body as {
        nonce: string;
      };
      const subject_token = await providers.apple.sign({ sub, nonce, aud: nativeClientId });
      return { nonce, subject_token, authorization_code: await providers.apple.nativeCode(sub) };
    },
  };

  it.each(calls('/token'))('are exchanged for tokens at /token: %s as %s', async (name, format, example) => {
    const credentials = clients.get(example['redirect_uri'] ?? push['redirect_uri']);
    const body = filled(example, { ...credentials, ...(await valuesFor[name]?.()) });
    const key = await createDeviceKey();
    const call = send('/token', format, body);
    if (name === 'dpop')
      void call.set('DPoP', await key.prove({ htm: 'POST', htu: 'http://auth.test/token' }));
    const { status, body: tokens } = await call;
    expect([status, tokens]).toMatchObject([200, { token_type: name === 'dpop' ? 'DPoP' : 'Bearer' }]);
  });
});
