import { createLogger } from '@covalence/runtime/logger';
import { listen } from '@covalence/runtime/lifecycle';
import { testNamespace, testStores } from '@covalence/testing/test-stores';
import { createTestTokens, type TestTokens } from '@covalence/testing/test-tokens';
import { Redis } from 'ioredis';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createApp, type App } from '../src/app.ts';
import { configSchema, type Config } from '../src/config.ts';
import { createContext, type Context, type Overrides } from '../src/context.ts';

/** A real service behind the gateway under test: answers with what it was asked, unless a test replaces it. */
export interface Upstream {
  readonly url: string;
  readonly server: Server;
  /** Received requests, in order. */
  readonly requests: IncomingMessage[];
  close(): Promise<void>;
}

const echo: RequestListener = (request, response) => {
  const body: Buffer[] = [];
  request.on('data', (chunk: Buffer) => body.push(chunk));
  request.on('end', () => {
    const { method, url, headers } = request;
    const text = JSON.stringify({ method, url, headers, body: Buffer.concat(body).toString('utf8') });
    response.writeHead(200, {
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(text)),
    });
    response.end(text);
  });
};

/** Starts a service to forward to, on a free port. */
export async function startUpstream(answer: RequestListener = echo): Promise<Upstream> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  const port = await listen(server, 0, '127.0.0.1');
  return {
    url: `http://127.0.0.1:${port}`,
    server,
    requests,
    close: async () => {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      server.closeAllConnections();
      await closed.promise;
    },
  };
}

/** A running gateway with everything that a test turns. */
export interface ServiceUnderTest {
  readonly url: string;
  readonly port: number;
  readonly app: App;
  readonly context: Context;
  readonly config: Config;
  readonly tokens: TestTokens;
  /** The service that stands for all of them unless the test gave addresses of its own. */
  readonly service: Upstream;
  close(): Promise<void>;
}

/** Options of the gateway of a suite. */
export interface ServiceOptions {
  /** Environment over the standard one. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly overrides?: Overrides;
  readonly answer?: RequestListener;
  readonly tokens?: TestTokens;
}

/** A connected client of the run's Redis, so that the first request of a test already counts there. */
async function connectedRedis(): Promise<Redis> {
  const redis = new Redis(testStores().REDIS_URL);
  await once(redis, 'ready');
  return redis;
}

/**
 * Starts a gateway before one echoing service, with a namespace of its own on the run's Redis; a test that names another
 * REDIS_URL gets the gateway's own client for it.
 */
export async function startService(
  suite: string,
  { environment = {}, overrides = {}, answer, tokens: given }: ServiceOptions = {},
): Promise<ServiceUnderTest> {
  const service = await startUpstream(answer);
  const tokens = given ?? (await createTestTokens());
  const config = configSchema.parse({
    PORT: '0',
    MANAGEMENT_PORT: '0',
    LOG_LEVEL: 'silent',
    NAMESPACE: testNamespace(suite),
    PUBLIC_URL: 'http://api.test',
    REDIS_URL: testStores().REDIS_URL,
    AUTH_URL: service.url,
    PROFILE_URL: service.url,
    SEARCH_URL: service.url,
    BILLING_URL: service.url,
    UPDATES_URL: service.url,
    ...environment,
  });
  const logger = createLogger('gateway', config.LOG_LEVEL);
  const redis = environment['REDIS_URL'] ? undefined : await connectedRedis();
  const context = createContext(config, {
    bearer: tokens.bearer,
    logger,
    ...(redis && { redis }),
    ...overrides,
  });
  const app = createApp(context);
  const port = await listen(app.server, 0, '127.0.0.1');
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    app,
    context,
    config,
    tokens,
    service,
    close: async () => {
      const closed = Promise.withResolvers<void>();
      app.server.close(() => closed.resolve());
      app.server.closeAllConnections();
      await app.goAway();
      await closed.promise;
      await context.close();
      await service.close();
    },
  };
}
