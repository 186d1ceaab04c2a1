import type { JavaKit } from '@covalence/stack/engines/java-home';
import { startGuarded } from '@covalence/stack/engines/guarded-process';
import { until } from '@covalence/testing/until';
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import type { TlsIdentity } from './tls-front.ts';

/** The suite is compiled for it. */
const oldestJava = 25;
const startMs = 180_000;
const callMs = 60_000;
const lastChars = 500;

/** A module of a plan, with the part of the variant that it needs. */
const planModule = z.object({ testModule: z.string(), variant: z.record(z.string(), z.string()).optional() });
const plan = z.object({ id: z.string(), modules: z.array(planModule).min(1) });
const created = z.object({ id: z.string() });
const info = z.object({ status: z.string(), result: z.string().nullish() });
const logEntry = z.looseObject({
  src: z.string(),
  msg: z.string().optional(),
  result: z.string().optional(),
  requirements: z.array(z.string()).optional(),
});
const server = z.object({ version: z.string(), revision: z.string() });

export type PlanModule = z.output<typeof planModule>;
/** One line of the log of a module. */
export type LogEntry = z.output<typeof logEntry>;

/** Files and addresses of the suite. */
export interface SuiteOptions {
  readonly java: JavaKit;
  readonly jar: string;
  readonly folder: string;
  readonly port: number;
  /** Address at which browsers reach it. */
  readonly url: string;
  readonly databaseUrl: string;
  /** The certificate that its calls trust. */
  readonly trusted: TlsIdentity;
}

/** The jar of a built suite: named, or in the folder of its sources. Throws a one-line error. */
export function jarOf(path: string | undefined): string {
  const help = 'Set CONFORMANCE_SUITE to the folder of the built suite: see tests/conformance/README.md.';
  if (!path) throw new Error(help);
  const place = resolve(path);
  const isFolder = statSync(place, { throwIfNoEntry: false })?.isDirectory();
  const jar = isFolder ? join(place, 'target/fapi-test-suite.jar') : place;
  if (!statSync(jar, { throwIfNoEntry: false })) throw new Error(`There is no ${jar}. ${help}`);
  return jar;
}

/** Starts the suite; resolves when it answers. */
export async function startSuite(options: SuiteOptions) {
  const { java, jar, folder, port, url, databaseUrl, trusted } = options;
  if (java.version < oldestJava)
    throw new Error(`The suite needs a JDK ${oldestJava}: set JAVA_HOME (found ${java.version}).`);
  const logFile = join(folder, 'suite.log');
  const settings = {
    'server.port': String(port),
    'server.address': '127.0.0.1',
    'spring.mongodb.uri': databaseUrl,
    'fintechlabs.base_url': url,
    'fintechlabs.base_mtls_url': url,
    // No sign-in of the tester.
    'fintechlabs.devmode': 'true',
  };
  const child = await startGuarded({
    command: join(java.home, 'bin/java'),
    args: [
      '-Xmx1500m',
      '-XX:+UseSerialGC',
      `-Djavax.net.ssl.trustStore=${trusted.file}`,
      `-Djavax.net.ssl.trustStorePassword=${trusted.passphrase}`,
      '-jar',
      jar,
      ...Object.entries(settings).map(([name, value]) => `--${name}=${value}`),
    ],
    environment: process.env,
    folder,
    logFile,
  });
  const died = child.died.then((how) => {
    throw new Error(`The suite ended with ${how}: see ${logFile}`);
  });

  async function call<Output>(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    output: z.ZodType<Output>,
    query: Readonly<Record<string, string>> = {},
    body?: object,
  ): Promise<Output> {
    const answer = await fetch(`http://127.0.0.1:${port}${path}?${new URLSearchParams(query).toString()}`, {
      method,
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-Proto': 'https' },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(callMs),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} ${answer.status}: ${text.slice(0, lastChars)}`);
    return output.parse(text ? JSON.parse(text) : undefined);
  }

  const answering = until('the suite to start', () => call('GET', '/api/server', server), startMs);
  const { version, revision } = await Promise.race([answering, died]).catch(async (error: unknown) => {
    await child.terminate();
    throw error;
  });
  return {
    version,
    revision,
    createPlan: (planName: string, variant: object, configuration: object) =>
      call('POST', '/api/plan', plan, { planName, variant: JSON.stringify(variant) }, configuration),
    /** Creates a run of a module; resolves with its id. */
    createRun: async (planId: string, { testModule: test, variant }: PlanModule): Promise<string> => {
      const query = { plan: planId, test, ...(variant && { variant: JSON.stringify(variant) }) };
      return (await call('POST', '/api/runner', created, query)).id;
    },
    startRun: (id: string) => call('POST', `/api/runner/${id}`, z.unknown()),
    cancelRun: (id: string) => call('DELETE', `/api/runner/${id}`, z.unknown()),
    info: (id: string) => call('GET', `/api/info/${id}`, info),
    log: (id: string) => call('GET', `/api/log/${id}`, z.array(logEntry)),
    stop: () => child.terminate(),
  };
}

/** The running suite. */
export type Suite = Awaited<ReturnType<typeof startSuite>>;
