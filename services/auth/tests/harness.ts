import { createBearerVerifier } from '@covalence/http/bearer';
import { mongoReady } from '@covalence/runtime/mongo';
import { allUp } from '@covalence/testing/all-up';
import { checkShardKeys } from '@covalence/testing/shard-keys';
import { admittedAuthorization, testServiceKeys } from '@covalence/testing/service-tokens';
import { testLogger } from '@covalence/testing/test-logger';
import { testNamespace, testStores } from '@covalence/testing/test-stores';
import { until } from '@covalence/testing/until';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import request from 'supertest';
import { v7 } from 'uuid';
import { createApp } from '../src/app.ts';
import { configSchema } from '../src/config.ts';
import { createContext, type Context } from '../src/context.ts';
import { sharding } from '../src/sharding.ts';
import { createBrowser, type Browser } from './support/browser.ts';
import { createMailbox, type Mailbox } from './support/mailbox.ts';
import type { TestClient, TestMember } from './support/people.ts';
import { startProfilePeer, type ProfilePeer } from './support/profile-peer.ts';
import { runJobs } from './support/run-jobs.ts';

/** Settings of a test's client application. */
interface ClientOptions {
  readonly staff?: boolean;
  readonly public?: boolean;
  readonly redirect_uri?: string;
  readonly require_pkce?: boolean;
  readonly dpop_bound_access_tokens?: boolean;
  readonly refresh_grace_seconds?: number;
  readonly refresh_lifetime_seconds?: number;
  readonly post_logout_redirect_uris?: readonly string[];
}

/** The auth service of one suite, on engines of its own. */
export interface ServiceUnderTest {
  readonly context: Context;
  readonly server: Server;
  readonly profile: ProfilePeer;
  readonly client: TestClient;
  readonly mailbox: Mailbox;
  /** The time that the service's own rules see; moves when told to. */
  readonly clock: { ahead: number };
  /** Does something as if so many milliseconds later. */
  later<Result>(ms: number, work: () => Promise<Result>): Promise<Result>;
  /** Runs every job once. */
  runJobs(): Promise<void>;
  /** POST to an internal endpoint as a caller that may. */
  internal(path: string, body: object): request.Test;
  createClient(options?: ClientOptions): Promise<TestClient>;
  addMember(overrides?: Partial<TestMember>): Promise<TestMember>;
  /** A browser at an address of its own, or at the given one. */
  browser(address?: string, userAgent?: string): Browser;
  /** POST /token with a form. */
  token(form: Record<string, string>): request.Test;
  close(): Promise<void>;
}

const baseSettings = {
  PORT: '0',
  MANAGEMENT_PORT: '0',
  ...testServiceKeys('auth'),
  AUTH_SECRET: 'auth-secret-of-the-auth-tests-0123456789',
  PUBLIC_URL: 'http://api.test',
  AUTH_PUBLIC_URL: 'http://auth.test',
  STAFF_SECOND_FACTOR: 'optional',
  SITES_FILE: fileURLToPath(new URL('../../../config/sites.json', import.meta.url)),
};

let members = 100;

/** Options of the service of a suite. */
interface ServiceOptions {
  readonly environment?: Readonly<Record<string, string>>;
}

/** Starts the service for a suite. */
export async function startService(
  suite: string,
  { environment = {} }: ServiceOptions = {},
): Promise<ServiceUnderTest> {
  const { MONGODB_URL, REDIS_URL } = testStores();
  const profile = await startProfilePeer();
  const mailbox = createMailbox();
  const config = configSchema.parse({
    ...baseSettings,
    NAMESPACE: testNamespace(suite),
    MONGODB_URL,
    REDIS_URL,
    PROFILE_URL: profile.url,
    ...(environment['MAIL_URL'] === undefined && { MAIL_DIR: mailbox.folder }),
    ...environment,
  });
  const clock = { ahead: 0 };
  const context = createContext(config, {
    clock: () => new Date(Date.now() + clock.ahead),
    logger: testLogger,
  });
  const server = createServer(createApp(context, { checkOutput: true }));
  await new Promise<void>((resolve) => server.listen(config.PORT, '127.0.0.1', resolve));
  checkShardKeys(context.connection, sharding);
  await mongoReady(context.connection);
  await until('redis answers', () => allUp(context.health));

  const { port } = server.address() as AddressInfo;
  profile.bearer = createBearerVerifier({
    jwksUrl: `http://127.0.0.1:${port}/jwks`,
    issuer: config.AUTH_PUBLIC_URL,
    audience: config.PUBLIC_URL,
  });
  const internal = (path: string, body: object) =>
    request(server).post(path).set('Authorization', admittedAuthorization('auth', path)).send(body);

  const createClient: ServiceUnderTest['createClient'] = async ({
    staff = false,
    redirect_uri = 'https://app.example/callback',
    ...settings
  } = {}) => {
    const created = await internal('/internal/clients/create', {
      name: 'Test app',
      redirect_uris: [redirect_uri],
      staff,
      ...settings,
    }).expect(200);
    return { ...(created.body as { client_id: string; client_secret: string }), redirect_uri };
  };

  const addMember: ServiceUnderTest['addMember'] = async (overrides = {}) => {
    members += 1;
    const member = {
      member_id: v7(),
      id: members,
      siteid: 1,
      username: `member${members}`,
      email: `member${members}@mail.example`,
      password: 'violet-harbour-42',
      ...overrides,
    };
    await internal('/internal/accounts/reserve', { ...member, password_minimum: 8 }).expect(200);
    await internal('/internal/accounts/confirm', { member_id: member.member_id }).expect(200);
    profile.members.set(member.member_id, { id: member.id, deactivated: false, suspended: false });
    return member;
  };

  profile.register = async ({ member_id, siteid, parameters, email_confirmed }) => {
    members += 1;
    const { username, email, password } = parameters as Record<string, string>;
    const names = { username, email, email_confirmed };
    const account = { member_id, id: members, siteid, ...names, password, password_minimum: 8 };
    const { status, body } = await internal('/internal/accounts/reserve', account);
    if (status !== 200) throw new Error(`not reserved: ${JSON.stringify(body)}`);
    await internal('/internal/accounts/confirm', { member_id }).expect(200);
    profile.members.set(member_id, { id: members, deactivated: false, suspended: false });
    return { failed: {}, abandoned: false };
  };

  return {
    context,
    server,
    profile,
    mailbox,
    clock,
    async later(ms, work) {
      clock.ahead += ms;
      try {
        return await work();
      } finally {
        clock.ahead -= ms;
      }
    },
    runJobs: () => runJobs(context),
    internal,
    createClient,
    addMember,
    client: await createClient(),
    browser: (address, userAgent) => createBrowser(server, address, userAgent),
    token: (form) => request(server).post('/token').type('form').send(form),
    async close() {
      await context.connection.dropDatabase().catch(() => undefined);
      await context.close();
      profile.close();
      mailbox.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
