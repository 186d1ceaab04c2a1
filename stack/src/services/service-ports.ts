import { z } from 'zod';
import { choosePorts, excludePort } from '../engines/free-ports.ts';
import { readPrivateFile, writePrivateFile } from '@covalence/runtime/private-file';
import type { ServicePorts } from './service-environment.ts';
import { serviceNames, type ServiceName } from './service-name.ts';

const portsSchema = z.record(z.string(), z.int());

/** Free ports for every service: those that `file` remembers if they are still free. `gatewayPort` is fixed. */
export async function servicePorts(file?: string, gatewayPort?: number) {
  if (gatewayPort !== undefined) excludePort(gatewayPort);
  const names = serviceNames.flatMap((name) => [name, `${name}-management`]);
  const given: Record<string, number> = gatewayPort === undefined ? {} : { gateway: gatewayPort };
  const others = names.filter((name) => !(name in given));
  const remembered = file === undefined ? undefined : readPrivateFile(file, portsSchema);
  const chosen = { ...(await choosePorts(others, remembered ?? {})), ...given };
  if (file) writePrivateFile(file, chosen);
  const pairs = serviceNames.map((name): [ServiceName, ServicePorts] => [
    name,
    { port: chosen[name] ?? 0, managementPort: chosen[`${name}-management`] ?? 0 },
  ]);
  return Object.fromEntries(pairs) as Record<ServiceName, ServicePorts>;
}
