import { innerUrl } from '@covalence/stack/services/service-environment';
import { serviceNames, type ServiceName } from '@covalence/stack/services/service-name';
import { servicePorts } from '@covalence/stack/services/service-ports';
import {
  startService,
  type ServiceLaunch,
  type ServiceProcess,
} from '@covalence/stack/services/service-process';
import { startTogether } from '@covalence/stack/start-together';
import type { StackUnderTest } from '@covalence/testing/stack-under-test';
import { join } from 'node:path';

/** A process of a service and its addresses. */
export interface Replica {
  readonly unit: ServiceProcess;
  readonly url: string;
  readonly managementUrl: string;
  /** From the next start on it runs the build of another checkout, or this one's again. */
  readonly runFrom?: (root: string | undefined) => void;
}

type Ports = Awaited<ReturnType<typeof servicePorts>>;

const replicaOf = (unit: ServiceProcess, ports: Ports): Replica => ({
  unit,
  url: innerUrl(ports, unit.name),
  managementUrl: `http://127.0.0.1:${ports[unit.name].managementPort}`,
});

/** The processes of a stack. */
export const replicasOf = (stack: StackUnderTest, ports: Ports): readonly Replica[] =>
  serviceNames.map((name) => replicaOf(stack.service(name), ports));

const never = new AbortController().signal;

/** Starts a further process of every service of a stack. */
export async function startReplicas(
  stack: StackUnderTest,
  folders: { readonly data: string; readonly logs: string },
): Promise<readonly Replica[]> {
  const ports = await servicePorts();
  const start = async (name: ServiceName, stopped: AbortSignal) => {
    const { port, managementPort } = ports[name];
    const environment: Record<string, string | undefined> = {
      ...stack.environment(name),
      PORT: String(port),
      MANAGEMENT_PORT: String(managementPort),
    };
    const sitesFile = environment['SITES_FILE'];
    const launch: ServiceLaunch & { root: string | undefined } = {
      name,
      environment,
      folder: join(folders.data, name),
      logDir: folders.logs,
      url: innerUrl(ports, name),
      managementPort,
      root: undefined,
    };
    const unit = await startService(launch, stopped);
    const replica: Replica = {
      ...replicaOf(unit, ports),
      runFrom(root) {
        launch.root = root;
        // Each release has its own file, as each has its own ConfigMap.
        environment['SITES_FILE'] = root === undefined ? sitesFile : join(root, 'config/sites.json');
      },
    };
    return { ...replica, stop: () => unit.stop() };
  };
  return startTogether(serviceNames, never, start);
}
