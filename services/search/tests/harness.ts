import type { Background } from '@covalence/runtime/lifecycle';
import { createMetrics } from '@covalence/runtime/metrics';
import { mongoReady } from '@covalence/runtime/mongo';
import { parseSites } from '@covalence/contract/sites';
import type { SearchProjection } from '@covalence/contract/search-projection';
import { testServiceKeys } from '@covalence/testing/service-tokens';
import { checkShardKeys } from '@covalence/testing/shard-keys';
import { testLogger } from '@covalence/testing/test-logger';
import { testNamespace, testStores } from '@covalence/testing/test-stores';
import { createTestTokens } from '@covalence/testing/test-tokens';
import { Client } from '@elastic/elasticsearch';
import type { Application } from 'express';
import request, { type Response } from 'supertest';
import { createApp } from '../src/app.ts';
import { startBackground } from '../src/background.ts';
import { configSchema, type Config } from '../src/config.ts';
import { createContext, type Context } from '../src/context.ts';
import { sharding } from '../src/sharding.ts';
import type { SettingsChange } from '../src/settings/search-settings.ts';
import { publishSettings } from '../src/publishing/publish-settings.ts';
import { testNow } from './population.ts';
import { startProfilePeer, type ProfilePeer } from './fake-profile.ts';

/** The staff account of all calls. */
export const staffId = '01890a5d-ac96-774b-bcce-b302099a8057';

/** One result as a client sees it. */
export interface FoundUser {
  readonly id: number;
  readonly relevance: number;
  readonly exactmatch: boolean;
  readonly distance?: number | null;
  readonly explanation?: { criterion: string; outcome: string; weight: number; gave: number }[];
}

/** A page of results as a client sees it. */
interface FoundPage {
  readonly totalmatches: number;
  readonly page: number;
  readonly pagesize: number;
  readonly currentpagesize: number;
  readonly users: FoundUser[];
}

/** The service on real engines, with a profile service in memory. */
export interface ServiceUnderTest {
  readonly context: Context;
  readonly profile: ProfilePeer;
  readonly namespace: string;
  readonly engine: Client;
  /** POST /searches as a member, by default to the first process. */
  post(viewer: number, parameters: object, process?: Application): Promise<Response>;
  /** GET /searches as a member; `query` is the raw query string. */
  get(viewer: number, query: string): Promise<Response>;
  /** Any call as a member; a text is the body of a form. */
  call(
    viewer: number,
    method: 'get' | 'post' | 'delete',
    path: string,
    body?: object | string,
  ): Promise<Response>;
  /** GET as staff with these roles; POST with a body. */
  asStaff(
    roles: Readonly<Record<string, readonly string[]>>,
    path: string,
    body?: object | string,
    method?: 'get' | 'post' | 'delete',
  ): Promise<Response>;
  /** Puts settings in force. */
  publish(change: SettingsChange): Promise<void>;
  /** A search that succeeds. */
  search(viewer: number, parameters: object): Promise<FoundPage>;
  /** Makes all writes searchable. */
  refresh(): Promise<void>;
  setNow(at: Date): void;
  /** Starts the background work. */
  start(): void;
  /** Another process of the service, with other settings. The caller closes it. */
  another(environment: Environment): Promise<Context>;
  close(): Promise<void>;
}

const sites = [
  { siteid: 1, title: 'One', url: 'https://one.example', group: 'heartland', world_plus: true, zodiac: true },
  { siteid: 2, title: 'Two', url: 'https://two.example', group: 'heartland', world_plus: true },
  {
    siteid: 3,
    title: 'Three',
    url: 'https://three.example',
    group: 'agora',
    world_plus: true,
    answer_visibility: { religion: 'everyone', drinking: 'owner' },
  },
  {
    siteid: 4,
    title: 'Four',
    url: 'https://four.example',
    group: 'island',
    rejected_fields: ['a_pornography', 'p_mood', 'zip'],
  },
];

/** Environment variables that a suite sets. */
type Environment = Readonly<Record<string, string>>;

/** Options of the service of a suite. */
interface ServiceOptions {
  /** The members of the profile service. */
  readonly members: readonly SearchProjection[];
  readonly environment?: Environment;
}

function configOf(namespace: string, profileUrl: string, environment: Environment): Config {
  const { MONGODB_URL, RABBITMQ_URL, ELASTICSEARCH_URL } = testStores();
  const rest = configSchema.omit({ SITES_FILE: true }).parse({
    PORT: 0,
    MANAGEMENT_PORT: 0,
    NAMESPACE: namespace,
    ...testServiceKeys('search'),
    PUBLIC_URL: 'http://api.test',
    AUTH_URL: 'http://auth.test',
    PROFILE_URL: profileUrl,
    MONGODB_URL,
    RABBITMQ_URL,
    ELASTICSEARCH_URL,
    ...environment,
  });
  return { ...rest, SITES_FILE: parseSites(sites) };
}

/** Keeps documents beyond their time: the database deletes by its own clock. */
const keepExpired = ({ connection }: Context) =>
  Promise.all(
    Object.values(connection.models).map(async (model) => {
      await model.init();
      if (model.schema.indexes().some(([, options]) => options?.expireAfterSeconds !== undefined))
        await model.collection.dropIndex('expires_1');
    }),
  );

/** Starts the service for a suite and waits until the members are searchable. */
export async function startService(
  suite: string,
  { members, environment = {} }: ServiceOptions,
): Promise<ServiceUnderTest> {
  const namespace = testNamespace(suite);
  const [profile, tokens] = await Promise.all([startProfilePeer(members), createTestTokens()]);
  let now = testNow;
  const create = (variables: Environment) =>
    createContext(configOf(namespace, profile.url, variables), {
      audit: () => Promise.resolve(),
      bearer: tokens.bearer,
      clock: () => now,
      logger: testLogger,
      metrics: createMetrics('search'),
      checkOutput: true,
      pauseMs: 100,
    });
  const context = create(environment);
  const app = createApp(context);
  const engine = new Client({ node: testStores().ELASTICSEARCH_URL });
  const refresh = async () => {
    await engine.indices.refresh({ index: `${namespace}-members` });
  };
  let background: Background | undefined;
  const close = async () => {
    await background?.close();
    await context.close();
    await profile.close();
    const indices = await engine.indices.get({ index: `${namespace}-*`, features: 'aliases' });
    if (Object.keys(indices).length) await engine.indices.delete({ index: Object.keys(indices) });
    await engine.close();
  };
  const post = async (viewer: number, parameters: object, process = app) =>
    request(process)
      .post('/searches')
      .set('Authorization', await tokens.authorization({ id: viewer }))
      .send(parameters);
  try {
    checkShardKeys(context.connection, sharding);
    await mongoReady(context.connection);
    await keepExpired(context);
    await context.index.reconciler.reconcile();
    await refresh();
  } catch (error) {
    // The caller has nothing to close.
    await close().catch(() => undefined);
    throw error;
  }

  return {
    context,
    profile,
    namespace,
    engine,
    post,
    async call(viewer, method, path, body) {
      const client = request(app);
      const authorization = await tokens.authorization({ id: viewer });
      return client[method](path).set('Authorization', authorization).send(body);
    },
    async asStaff(roles, path, body, method = body ? 'post' : 'get') {
      const staff = { id: 0, memberId: staffId, siteid: 0, scope: 'staff', roles };
      const authorization = await tokens.authorization(staff);
      const call = request(app)[method](path).set('Authorization', authorization);
      return body ? call.type('json').send(body) : call;
    },
    async publish(content) {
      await publishSettings({ content, note: '', of: null, by: null }, context);
    },
    get: async (viewer, query) =>
      request(app)
        .get(`/searches?${query}`)
        .set('Authorization', await tokens.authorization({ id: viewer })),
    async search(viewer, parameters) {
      const { status, body } = await post(viewer, parameters);
      if (status !== 200) throw new Error(`search answered ${status} ${JSON.stringify(body)}`);
      return body as FoundPage;
    },
    refresh,
    setNow: (at) => (now = at),
    start: () => void (background ??= startBackground(context)),
    async another(variables) {
      const other = create(variables);
      await mongoReady(other.connection);
      await keepExpired(other);
      return other;
    },
    close,
  };
}
