import { clientKeys } from '@covalence/contract/client-keys';
import { defaultData } from '@covalence/stack/checkout';
import { choosePorts } from '@covalence/stack/engines/free-ports';
import { embeddedEngines } from '@covalence/stack/engines/jar-cache';
import { servicePorts } from '@covalence/stack/services/service-ports';
import { startStackUnderTest, type StackUnderTest } from '@covalence/testing/stack-under-test';
import { exportJWK, generateKeyPair } from 'jose';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { configurationOf, planName, redirectsOf, variant, type SuiteClient } from './plan.ts';
import { isSound, linesOf, summaryOf } from './report.ts';
import { runModule, type ModuleResult } from './run-module.ts';
import { jarOf, startSuite, type Suite } from './suite.ts';
import { startSuiteDatabase } from './suite-database.ts';
import { createTlsIdentity, startTlsFront } from './tls-front.ts';

const usage = `Runs the FAPI 2.0 plan of the OpenID conformance suite against a system of its own.

  CONFORMANCE_SUITE=<folder of the built suite> pnpm conformance [--only <part of a module name>,…]

tests/conformance/README.md says how to build the suite. Logs are in .data/conformance.`;

const folder = join(defaultData, 'conformance');
const print = (line: string) => void process.stdout.write(`${line}\n`);

/** Registers a client with a new key. */
async function createClient(stack: StackUnderTest, kid: string, redirects: string[]): Promise<SuiteClient> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const about = { kid, alg: 'ES256', use: 'sig' };
  const { client_id } = await stack.peer('auth').createClient({
    name: `Conformance ${kid}`,
    redirect_uris: redirects,
    fapi_keys: clientKeys.parse({ keys: [{ ...(await exportJWK(publicKey)), ...about }] }),
  });
  const jwks = { keys: [{ ...(await exportJWK(privateKey)), ...about }] };
  return { client_id, scope: 'member', jwks, dpop_signing_alg: 'ES256' };
}

/** Runs the modules of the plan one after the other. */
async function runPlan(
  suite: Suite,
  configuration: object,
  only: readonly string[],
): Promise<ModuleResult[]> {
  const plan = await suite.createPlan(planName, variant, configuration);
  const modules = plan.modules.filter(
    ({ testModule }) => only.length === 0 || only.some((part) => testModule.includes(part)),
  );
  const results: ModuleResult[] = [];
  for (const module of modules) {
    const result = await runModule(suite, plan.id, module);
    results.push(result);
    for (const line of linesOf(result)) print(line);
    writeFileSync(join(folder, `${result.name}.json`), JSON.stringify(result.log, undefined, 1));
  }
  return results;
}

/** Starts everything, runs the plan, and stops everything. Resolves with the exit code. */
async function conformance(only: readonly string[]): Promise<number> {
  const jar = jarOf(process.env['CONFORMANCE_SUITE']);
  const closing: (() => Promise<void>)[] = [];
  /** Stops at the end what is started. */
  const stopped = async <Part extends { stop(): Promise<void> }>(starting: Promise<Part>): Promise<Part> => {
    const part = await starting;
    closing.push(() => part.stop());
    return part;
  };
  try {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const place = { dataDir: folder, logDir: folder, environment: process.env, progress: print };
    const engines = await embeddedEngines('mongodb', { ...place, signal: new AbortController().signal });
    const { java } = engines;
    const identity = await createTlsIdentity(java.home, folder);
    const own = await choosePorts(['suite', 'database'], {});
    const ports = await servicePorts();
    const suiteUrl = await startTlsFront(identity, own.suite);
    const issuer = await startTlsFront(identity, ports.gateway.port);

    const database = await stopped(startSuiteDatabase(engines, { folder, port: own.database }));
    const [stack, suite] = await Promise.all([
      stopped(
        startStackUnderTest({
          engines: process.env['MONGODB_URL'] ? 'shared' : 'own',
          ports,
          members: 10,
          env: { AUTH_PUBLIC_URL: issuer, TRUSTED_PROXIES: '1' },
        }),
      ),
      stopped(
        startSuite({
          java,
          jar,
          folder,
          port: own.suite,
          url: suiteUrl,
          databaseUrl: database.url,
          trusted: identity,
        }),
      ),
    ]);
    print(
      `Suite ${suite.version} (${suite.revision}), plan ${planName}: ${Object.values(variant).join(', ')}`,
    );
    const redirects = redirectsOf(suiteUrl);
    const clients = [
      await createClient(stack, 'first', redirects),
      await createClient(stack, 'second', redirects),
    ] as const;
    const [member] = stack.demo.members;
    if (!member) throw new Error('The stack has no members.');
    const results = await runPlan(suite, configurationOf({ issuer, suiteUrl, clients, member }), only);
    print(summaryOf(results));
    return isSound(results) ? 0 : 1;
  } finally {
    for (const close of closing.toReversed()) await close();
  }
}

const { values } = parseArgs({
  options: { only: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
});
if (values.help) print(usage);
else
  process.exitCode = await conformance(values.only?.split(',') ?? []).catch((error: unknown) => {
    print(error instanceof Error ? error.message : String(error));
    return 1;
  });
process.exit();
