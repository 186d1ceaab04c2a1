import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listenLocally } from '@covalence/testing/listen-locally';
import request from 'supertest';
import { configSchema } from '../../src/config.ts';
import { createSeal } from '../../src/keys/seal.ts';
import { startService, type ServiceUnderTest } from '../harness.ts';
import { createBrowser, destination, formOf, type Browser } from '../support/browser.ts';
import type { TestMember } from '../support/people.ts';

const oldSecret = 'the-auth-secret-that-is-to-be-replaced-01';
const newSecret = 'the-auth-secret-that-comes-in-its-place-02';

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

const problemsOf = (AUTH_SECRET: string) =>
  (configSchema.safeParse({ AUTH_SECRET }).error?.issues ?? [])
    .map(({ path }) => path.join('.'))
    .filter((path) => path.startsWith('AUTH_SECRET'));

/** The steps of docs/deploy.md: both secrets, the new one first, the new one alone. */
describe('AUTH_SECRET as a list', () => {
  /** The service before the change, and after each step, on the same stores. */
  let before: ServiceUnderTest;
  const steps: ServiceUnderTest[] = [];
  /** The server that browsers reach: the process of the current step. */
  let front: Server;
  let current: ServiceUnderTest;
  beforeAll(async () => {
    before = await startService('secrets', { environment: { AUTH_SECRET: oldSecret } });
    current = before;
    front = createServer((incoming, response) => current.server.emit('request', incoming, response));
    await listenLocally(front);
  });
  afterAll(async () => {
    front.close();
    for (const step of steps) await step.close();
    await before.close();
  });

  /** Another process with these secrets takes over. */
  const roll = async (AUTH_SECRET: string) => {
    const { NAMESPACE } = before.context.config;
    const step = await startService('secrets', {
      environment: { NAMESPACE, AUTH_SECRET, PROFILE_URL: before.profile.url },
    });
    steps.push(step);
    current = step;
  };
  const token = async (form: Record<string, string>) =>
    (await current.token({ ...before.client, ...form }).expect(200)).body as Tokens;
  const refresh = ({ refresh_token }: Tokens) => token({ grant_type: 'refresh_token', refresh_token });
  const kids = async () => {
    const { body } = await request(front).get('/jwks').expect(200);
    return (body as { keys: { kid: string }[] }).keys.map(({ kid }) => kid);
  };
  const sealedKeys = async () => {
    const stored = await before.context.connection.collection('signing_keys').find().toArray();
    return stored.map((key) => String(key['sealed_private']));
  };
  /** Whether the browser's session gives a code without a form. */
  const isSignedIn = async (browser: Browser) =>
    destination(await browser.begin(before.client, { siteid: '1', prompt: 'none' })).searchParams.has('code');

  const isReady = async () => (await current.context.health.report()).ready;

  it('keeps sign-ins, links and forms valid in every step of a rotation', async () => {
    const member: TestMember = await before.addMember();
    const browser = createBrowser(front);
    const end = await browser.signIn(before.client, member);
    let tokens = await token({ grant_type: 'authorization_code', code: end.searchParams.get('code') ?? '' });
    const shown = await kids();
    const sealed = await sealedKeys();
    const mail = await before.mailbox.wait(member.email, 'Please confirm your email');
    const form = await createBrowser(front).begin(before.client, { siteid: '1' });
    expect(formOf(form).fields['csrf']).toBeTruthy();

    await roll(`${oldSecret},${newSecret}`);
    expect([await isReady(), await kids(), await sealedKeys()]).toEqual([true, shown, sealed]);
    tokens = await refresh(tokens);
    expect(await isSignedIn(browser)).toBe(true);

    await roll(`${newSecret},${oldSecret}`);
    expect([await isReady(), await kids()]).toEqual([true, shown]);
    tokens = await refresh(tokens);
    expect(await isSignedIn(browser)).toBe(true);
    const page = await createBrowser(front).open(mail.path);
    expect(page.text).toContain(`Is ${member.email} your email address`);
    // A process of the step before opens what this one seals.
    const later = await createBrowser(front).signIn(before.client, member);
    const [stepBefore] = steps;
    if (!stepBefore) throw new Error('no step before');
    current = stepBefore;
    const code = later.searchParams.get('code') ?? '';
    const second = await token({ grant_type: 'authorization_code', code });

    await roll(newSecret);
    expect([await isReady(), await kids()]).toEqual([true, shown]);
    await refresh(tokens);
    await refresh(second);
  });

  it('re-encrypts stored signing keys with the first secret, so that the old one can be removed', async () => {
    await current.internal('/internal/keys/rotate', {}).expect(200);
    const shown = await kids();
    await roll(newSecret);
    expect([await isReady(), await kids()]).toEqual([true, shown]);
    const stored = await before.context.connection.collection('signing_keys').find().toArray();
    const opensWith = (secret: string) =>
      stored.map((key) =>
        Boolean(createSeal([secret]).open('signing-keys', key['sealed_private'], key['kid'])),
      );
    expect(stored.length).toBeGreaterThan(1);
    expect(opensWith(newSecret)).toEqual(stored.map(() => true));
    expect(opensWith(oldSecret)).toEqual(stored.map(() => false));
  });

  it('rejects entries with fewer than 32 characters', () => {
    expect(problemsOf(`${newSecret},${oldSecret}`)).toEqual([]);
    expect([`${newSecret},short`, `${newSecret},`].map(problemsOf)).toEqual([
      ['AUTH_SECRET.1'],
      ['AUTH_SECRET.1'],
    ]);
  });
});
