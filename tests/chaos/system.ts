import { addressVariable } from '@covalence/stack/address-variable';
import { dataFolder } from '@covalence/stack/checkout';
import { engineNames, type ClusterName, type EngineName } from '@covalence/stack/engines/engine';
import { keepRunning } from '@covalence/stack/processes/keep-running';
import { newInstance } from '@covalence/stack/services/instance';
import { serviceNames, type ServiceName } from '@covalence/stack/services/service-name';
import { innerUrl } from '@covalence/stack/services/service-environment';
import { servicePorts } from '@covalence/stack/services/service-ports';
import { stopAll } from '@covalence/stack/start-together';
import { startStackUnderTest } from '@covalence/testing/stack-under-test';
import { createReplicaSet } from '@covalence/testing/replica-set';
import { createTcpProxy, type TcpProxy } from '@covalence/testing/tcp-proxy';
import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startBalancer } from './balancer.ts';
import { startOutside } from './outside.ts';
import { replicasOf, startReplicas, type Replica } from './replicas.ts';
import { startClusters } from './start-clusters.ts';

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
  STAFF_SEARCHES_PER_HOUR: '100000',
};

const hostOf = (url: string) => new URL(url).host;

const tool = new URL('../../services/search/dist/covalence.js', import.meta.url).pathname;

/** Requirements of a run for its system. */
export interface SystemOptions {
  /** Processes of each service, 1 or 2. */
  readonly processes: number;
  /** The engines of several servers. */
  readonly clusters: readonly ClusterName[];
  /** A built checkout of another release. */
  readonly otherRelease: string | undefined;
  /** Whether the services reach MongoDB as a pretended replica set, whose primary can change. */
  readonly hasElections: boolean;
}

/** Starts engines, proxies, services and the supervisor. */
export async function startSystem(
  say: (line: string) => void,
  { processes, clusters, otherRelease, hasElections }: SystemOptions,
) {
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
    const { engines, upgradeNode, cutOff, stopEngines } = await startClusters(
      {
        dataDir: data.engines,
        logDir: data.logs,
        environment: { ...process.env, ...none },
        progress: say,
        signal: new AbortController().signal,
      },
      { clusters, otherRelease },
    );
    closing.push(stopEngines);

    const ports = await servicePorts();
    const ways = new Map<UnitName, readonly TcpProxy[]>();
    for (const name of unitNames) {
      const servers = isEngine(name) ? engines[name].nodes : [{ url: innerUrl(ports, name) }];
      ways.set(name, await Promise.all(servers.map(({ url }) => createTcpProxy(url))));
    }
    closing.push(() => Promise.all([...ways.values()].flat().map((way) => way.close())));
    /** The proxies through which all users of a unit connect: one for each server of an engine. */
    const waysTo = (name: UnitName): readonly TcpProxy[] => ways.get(name) ?? [];
    const way = (name: UnitName): TcpProxy => {
      const [first] = waysTo(name);
      if (!first) throw new Error(`no way to ${name}`);
      return first;
    };
    /** The address of a unit with the proxies' hosts. */
    const addressOf = (name: UnitName): string => {
      if (!isEngine(name)) return way(name).url;
      const { url, nodes } = engines[name];
      // Clients of several servers of Redis ask them for their addresses.
      if (name === 'redis' && nodes.length > 1) return url;
      const proxies = waysTo(name);
      return nodes.reduce(
        (address, node, at) => address.replace(hostOf(node.url), hostOf(proxies[at]?.url ?? node.url)),
        url,
      );
    };
    const replicaSet = hasElections ? await createReplicaSet(way('mongodb').url) : undefined;
    closing.push(() => replicaSet?.close());
    const env = Object.fromEntries(unitNames.map((name) => [addressVariable(name), addressOf(name)]));
    if (replicaSet) env[addressVariable('mongodb')] = replicaSet.url;

    const outside = await startOutside();
    closing.push(() => outside.close());
    const stack = await startStackUnderTest({ ports, env: { ...env, ...settings, ...outside.settings } });
    closing.push(() => stack.stop());
    const unit = (name: UnitName) => (isEngine(name) ? engines[name] : stack.service(name));
    const all = [...replicasOf(stack, ports)];
    if (processes > 1) {
      const further = await startReplicas(stack, { data: join(data.path, 'further'), logs: data.logs });
      closing.push(() => stopAll(further.map((one) => one.unit)));
      all.push(...further);
    }
    const replicas = (name: ServiceName) => all.filter((one) => one.unit.name === name);
    const balancers = new Map(
      serviceNames.map((name) => [name, startBalancer(way(name), replicas(name))] as const),
    );
    closing.push(() => {
      for (const balancer of balancers.values()) balancer.close();
    });

    const units = [...Object.values(engines).flatMap(({ nodes }) => nodes), ...all.map((one) => one.unit)];
    const over = new AbortController();
    closing.push(() => over.abort());
    // They reject when the run is over.
    void Promise.allSettled(units.map((one) => keepRunning(one, say, over.signal)));

    return {
      stack,
      outside,
      /** The address for clients: a proxy to the gateway. */
      url: way('gateway').url,
      unit,
      engines,
      /** Every process. */
      units,
      /** The processes of a service. */
      replicas,
      /** The processes of every service. */
      allReplicas: all as readonly Replica[],
      /** Sends no new connections to a process that is about to end, or sends them again. */
      retire: (one: Replica, isOut: boolean) => balancers.get(one.unit.name)?.retire(one, isOut),
      replicaSet,
      otherRelease,
      upgradeNode,
      cutOff,
      waysTo,
      /** The address of a server of an engine. */
      engineUrl: (name: EngineName) => engines[name].nodes[0]?.url ?? engines[name].url,
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
