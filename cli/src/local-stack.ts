import { dataLayout } from '@covalence/stack/checkout';
import { keptInstance } from '@covalence/stack/services/instance';
import { readRunning } from '@covalence/stack/services/running';
import { serviceEnvironment } from '@covalence/stack/services/service-environment';
import type { ServiceName } from '@covalence/stack/services/service-name';
import type { Surroundings } from './surroundings.ts';

/**
 * The environment of a service: that of the command where it sets NAMESPACE, else that of the service in the local stack.
 * Throws a CommandError where no local stack runs.
 */
export function environmentOf(
  service: ServiceName,
  { environment: around, dataFolder }: Surroundings,
): NodeJS.ProcessEnv {
  if (around['NAMESPACE']) return around;
  const data = dataLayout(dataFolder());
  const { publicUrl, engines, ports } = readRunning(data.runningFile);
  const instance = keptInstance(data.instanceFile);
  const setting = { instance, engines, ports, publicUrl, photoDir: data.photos, mailDir: data.mails, around };
  return { ...serviceEnvironment(service, setting), LOG_LEVEL: around['LOG_LEVEL'] ?? 'warn' };
}
