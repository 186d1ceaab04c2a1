import { addressVariable } from '@covalence/stack/address-variable';
import { dataFolder } from '@covalence/stack/checkout';
import { engineNames, type EngineName } from '@covalence/stack/engines/engine';
import { startEngines } from '@covalence/stack/engines/engines';
import { keepRunning } from '@covalence/stack/processes/keep-running';
import { newInstance } from '@covalence/stack/services/instance';
import { serviceNames, type ServiceName } from '@covalence/stack/services/service-name';
import { innerUrl } from '@covalence/stack/services/service-environment';
import { servicePorts } from '@covalence/stack/services/service-ports';
import { stopAll } from '@covalence/stack/start-together';
import { startStackUnderTest } from '@covalence/testing/stack-under-test';
import { createTcpProxy, type TcpProxy } from '@covalence/testing/tcp-proxy';
import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startOutside } from './outside.ts';

/** A service or an engine. */
export type UnitName = EngineName | ServiceName;

/** A system whose units can fail; a supervisor restarts them as `npm start` does. */
export type System = Awaited<ReturnType<typeof startSystem>>;

/** Every unit, engines first. */
export const unitNames: readonly UnitName[] = [...engineNames, ...serviceNames];

/** Whether a unit is an engine. */
export const isEngine = (name: UnitName): name is EngineName => engineNames.some((one) => one === name);

/** Time limit of the gateway for an answer of a service; the default is 30 s. */
export const upstreamLimitMs = 10_000;

/** Settings of the services, without rate limits. */
const settings = {
  UPSTREAM_TIMEOUT_MS: String(upstreamLimitMs),
  RATE_PER_ADDRESS: '1000000',
  LOGIN_FAILURES_PER_ADDRESS: '100000',
};

const tool = new URL('../../services/search/dist/covalence.js', import.meta.url).pathname;

/** Starts engines, proxies, services and the supervisor. */
export async function startSystem(say: (line: string) => void) {
  const { namespace } = newInstance('chaos');
  const data = dataFolder(join(process.env['TEST_DATA_DIR'] ?? tmpdir(), namespace));
  const closing: (() => Promise<unknown> | void)[] = [
    () => rmSync(data.path, { recursive: true, force: true }),
  ];
  const stop = async () => {
    for (const close of closing.toReversed()) await close();
  };
  try {
    const none = Object.fromEntries(engineNames.map((name) => [addressVariable(name), undefined]));
    const engines = await startEngines({
      dataDir: data.engines,
      logDir: data.logs,
      environment: { ...process.env, ...none },
      progress: say,
    });
    closing.push(() => stopAll(Object.values(engines)));

    const ports = await servicePorts();
    const ways = new Map<UnitName, TcpProxy>();
    for (const name of unitNames) {
      ways.set(name, await createTcpProxy(isEngine(name) ? engines[name].url : innerUrl(ports, name)));
    }
    closing.push(() => Promise.all([...ways.values()].map((way) => way.close())));
    /** The proxy through which all users of a unit connect. */
    const way = (name: UnitName): TcpProxy => {
      const found = ways.get(name);
      if (!found) throw new Error(`no way to ${name}`);
      return found;
    };
    const env = Object.fromEntries(unitNames.map((name) => [addressVariable(name), way(name).url]));

    const outside = await startOutside();
    closing.push(() => outside.close());
    const stack = await startStackUnderTest({ ports, env: { ...env, ...settings, ...outside.settings } });
    closing.push(() => stack.stop());
    const unit = (name: UnitName) => (isEngine(name) ? engines[name] : stack.service(name));

    const over = new AbortController();
    closing.push(() => over.abort());
    // They reject when the run is over.
    void Promise.allSettled(unitNames.map((name) => keepRunning(unit(name), say, over.signal)));

    return {
      stack,
      outside,
      /** The address for clients: a proxy to the gateway. */
      url: way('gateway').url,
      unit,
      way,
      engineUrl: (name: EngineName) => engines[name].url,
      managementUrl: (name: ServiceName) => `http://127.0.0.1:${ports[name].managementPort}`,
      /** Runs `index verify`; resolves with its output if it failed. */
      async verifyIndex(): Promise<string | undefined> {
        const run = promisify(execFile)(process.execPath, [tool, 'index', 'verify'], {
          env: stack.environment('search'),
        });
        return run.then(
          () => undefined,
          (error: { stdout?: string; stderr?: string }) =>
            `${error.stdout ?? ''}${error.stderr ?? ''}`.trim(),
        );
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
