import type { InternalService } from '@covalence/contract/peers/callers';
import { dataFolder } from '@covalence/stack/checkout';
import type { EngineName } from '@covalence/stack/engines/engine';
import { seedSystem } from '@covalence/seed/seed';
import { createStackPeer } from '@covalence/stack/services/credentials';
import { newInstance } from '@covalence/stack/services/instance';
import { serviceEnvironment, type ServicePorts } from '@covalence/stack/services/service-environment';
import type { ServiceName } from '@covalence/stack/services/service-name';
import { seedTarget } from '@covalence/stack/services/seed-target';
import { servicePorts } from '@covalence/stack/services/service-ports';
import { startStack, type Stack } from '@covalence/stack/services/stack';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storeVariables } from './test-stores.ts';

/** Options of a stack for tests. */
export interface StackUnderTestOptions {
  /** Size of the seeded population; default 0. The demo clients and the staff account always exist. */
  readonly members?: number;
  /** The services to run; default: all. Seeding needs auth, profile, search and billing. */
  readonly services?: readonly ServiceName[];
  /** `shared` (default): the engines of the test run, in a separate namespace. `own`: engines that a test may kill. */
  readonly engines?: 'own' | 'shared';
  /** Ports of the services; default: free ports. */
  readonly ports?: Readonly<Record<ServiceName, ServicePorts>>;
  /** Additional settings of every service. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A whole system as processes, started and seeded as `npm start` does it. */
export type StackUnderTest = Awaited<ReturnType<typeof startStackUnderTest>>;

const never = new AbortController().signal;

function found<Name extends string, Unit>(units: ReadonlyMap<Name, Unit>, name: Name): Unit {
  const unit = units.get(name);
  if (!unit) throw new Error(`${name} is not part of this stack`);
  return unit;
}

function environmentOf({ engines = 'shared', env }: StackUnderTestOptions): NodeJS.ProcessEnv {
  const own = engines === 'own';
  const urls = own ? Object.fromEntries(storeVariables.map((name) => [name, undefined])) : {};
  return { ...process.env, ...urls, LOG_LEVEL: 'info', ...env };
}

/** Starts and seeds a stack; resolves when everything is ready. */
export async function startStackUnderTest(options: StackUnderTestOptions = {}) {
  const { members = 0, services } = options;
  const instance = newInstance('t-stack');
  const data = dataFolder(join(process.env['TEST_DATA_DIR'] ?? tmpdir(), instance.namespace));
  const environment = environmentOf(options);
  const ports = options.ports ?? (await servicePorts());
  const shared = { data, instance, environment, progress: () => {}, stopped: never };
  const clear = () => rmSync(data.path, { recursive: true, force: true });
  let stack: Stack | undefined;
  try {
    stack = await startStack({
      ...shared,
      ports,
      publicUrl: `http://localhost:${ports.gateway.port}`,
      ...(services && { services }),
    });
    const { url, engines, services: processes } = stack;
    const addresses = Object.fromEntries([...engines].map(([name, engine]) => [name, engine.url]));
    const setting = {
      instance,
      engines: addresses,
      ports,
      publicUrl: url,
      photoDir: data.photos,
      mailDir: data.mails,
    };
    const target = seedTarget({ ...shared, stack });
    const demo = await seedSystem({ ...target, ...shared, count: members, seed: 1 });
    return {
      /** The gateway's address. */
      url,
      /** Prefix of databases, queues and keys. */
      namespace: instance.namespace,
      /** Keys and passwords. */
      instance,
      /** Clients, staff and logins, as in `.data/demo.json`. */
      demo,
      photoDir: data.photos,
      /** An engine. It is not restarted when it dies. */
      engine: (name: EngineName) => found(engines, name),
      /** A service process. It is not restarted when it dies. */
      service: (name: ServiceName) => found(processes, name),
      /** The environment of a service, for its commands. */
      environment: (name: ServiceName) => serviceEnvironment(name, { ...setting, environment }),
      /** A client of a service that uses a permitted caller for each endpoint. */
      peer: <Service extends InternalService>(name: Service) =>
        createStackPeer({ instance, url: found(processes, name).url, to: name, timeoutMs: 20_000 }),
      /** Stops the stack and deletes its data. */
      async stop(): Promise<void> {
        await stack?.stop();
        clear();
      },
    };
  } catch (error) {
    await stack?.stop();
    clear();
    throw error;
  }
}
