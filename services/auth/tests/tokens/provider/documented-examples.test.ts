import { createDeviceKey } from '@covalence/testing/device-key';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import request from 'supertest';
import { startService, type ServiceUnderTest } from '../../harness.ts';
import { destination } from '../../support/browser.ts';
import type { TestMember } from '../../support/people.ts';
import {
  nativeClientId,
  newPerson,
  startProviders,
  storeLink,
  type TestProviders,
} from '../../support/providers.ts';

type Body = Readonly<Record<string, string | number>>;

interface Content {
  readonly content: {
    readonly 'application/json': { readonly examples: Readonly<Record<string, { value: Body }>> };
  };
}

interface Operation {
  readonly requestBody: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

interface Documented {
  readonly paths: Readonly<Record<string, { readonly get?: Operation; readonly post?: Operation }>>;
}

const file = new URL('../../../../../gateway/documents/openapi.json', import.meta.url);
const { paths } = JSON.parse(readFileSync(file, 'utf8')) as Documented;

type Path = '/par' | '/token' | '/revoke';

const examplesOf = (path: Path) =>
  Object.entries(paths[path]?.post?.requestBody.content['application/json'].examples ?? {}).map(
    ([name, { value }]) => [name, value] as const,
  );

/** The documented answer of an operation: that of the example of this name, else the one of all examples. */
function answerOf(operation: Operation | undefined, status: number, name = 'example'): Body {
  const { examples } = operation?.responses[status]?.content['application/json'] ?? {};
  return (examples?.[name] ?? examples?.['example'])?.value ?? {};
}

const listed = (answer: unknown) => (answer as { sessions: Body[] }).sessions;

/** The shape that a response and its example share: names, and types of the values. */
const shapeOf = (body: Body) =>
  Object.fromEntries(Object.entries(body).map(([name, value]) => [name, typeof value]));

/** Every example, once in each of the formats. */
const calls = (path: Path) =>
  examplesOf(path).flatMap(([name, value]) =>
    (['json', 'form'] as const).map((format) => [name, format, value] as const),
  );

/** An example with values of this run; nothing is added. */
const filled = (example: Body, values: Body): Body =>
  Object.fromEntries(Object.entries(example).map(([name, value]) => [name, values[name] ?? value]));

describe('the examples of the interface documents', () => {
  let auth: ServiceUnderTest;
  let providers: TestProviders;
  let member: TestMember;
  /** Credentials by redirect address: of the app without a secret, and of the one on a server. */
  const clients = new Map<unknown, Body>();
  const [, push = {}] = examplesOf('/par').find(([name]) => name === 'public') ?? [];
  const [, pushed = {}] = examplesOf('/par').find(([name]) => name === 'server') ?? [];
  beforeAll(async () => {
    providers = await startProviders();
    auth = await startService('documented-examples', { environment: providers.settings });
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
    expect(shapeOf(body as Body)).toEqual(shapeOf(answerOf(paths['/par']?.post, 201)));
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

  /** Tokens of a sign-in with the app without a secret, or with the one on a server. */
  const tokensOf = async (name: 'public' | 'server') => {
    const pushExample = name === 'public' ? push : pushed;
    const of = name === 'public' ? 'example' : 'server';
    const [, example = {}] = examplesOf('/token').find(([one]) => one === of) ?? [];
    const values = { ...clients.get(pushExample['redirect_uri']), code: await codeOf(pushExample) };
    const { body } = await send('/token', 'form', filled(example, values)).expect(200);
    return body as { access_token: string; refresh_token: string };
  };

  /** Values of a run that replace those of each example. */
  const valuesFor: Readonly<Record<string, () => Promise<Body>>> = {
    example: async () => ({ code: await codeOf(push) }),
    dpop: async () => ({ code: await codeOf(push) }),
    server: async () => ({ code: await codeOf(pushed) }),
    refresh: async () => ({ refresh_token: (await tokensOf('public')).refresh_token }),
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
    const answer = answerOf(paths['/token']?.post, 200, name);
    expect([status, tokens]).toMatchObject([200, { token_type: answer['token_type'] }]);
    expect(shapeOf(tokens as Body)).toEqual(shapeOf(answer));
  });

  it.each(calls('/revoke'))('end the sign-in at /revoke: %s as %s', async (name, format, example) => {
    const isPublic = name === 'public';
    const credentials = clients.get((isPublic ? push : pushed)['redirect_uri']) ?? {};
    const { refresh_token } = await tokensOf(isPublic ? 'public' : 'server');
    const values = { ...credentials, token: refresh_token };
    const { text } = await send('/revoke', format, filled(example, values)).expect(200);
    expect(text).toBe('');
    const refresh = { grant_type: 'refresh_token', ...credentials, refresh_token };
    await send('/token', 'form', refresh).expect(400);
  });

  it('are what GET /sessions answers', async () => {
    const { access_token } = await tokensOf('public');
    const { body } = await request(auth.server)
      .get('/sessions')
      .set('Authorization', `Bearer ${access_token}`)
      .expect(200);
    const [documented = {}] = listed(answerOf(paths['/sessions']?.get, 200));
    const current = listed(body).find((one) => one['current']) ?? {};
    const app = { platform: documented['platform'], device_name: documented['device_name'], current: true };
    expect(current).toMatchObject(app);
    expect(Object.keys(current).toSorted()).toEqual(Object.keys(documented).toSorted());
    expect(Date.parse(String(documented['since']))).toBeLessThan(Date.parse(String(documented['until'])));
  });
});
