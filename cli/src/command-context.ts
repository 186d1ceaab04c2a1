import { dataLayout } from '@covalence/stack/checkout';
import { keptInstance } from '@covalence/stack/services/instance';
import { readRunning } from '@covalence/stack/services/running';
import { serviceEnvironment } from '@covalence/stack/services/service-environment';
import type { ServiceName } from '@covalence/stack/services/service-name';

/** The environment and the folders of a command. */
export interface CommandContext {
  readonly environment: NodeJS.ProcessEnv;
  /** The data folder of the local stack. */
  readonly dataFolder: () => string;
  /** Paths of the command line are relative to it. */
  readonly workingFolder: string;
}

/**
 * The environment of a service: that of the command if it sets NAMESPACE, else that of the local stack. Throws a
 * CommandError when no local stack runs.
 */
export function environmentOf(
  service: ServiceName,
  { environment, dataFolder }: CommandContext,
): NodeJS.ProcessEnv {
  if (environment['NAMESPACE']) return environment;
  const { runningFile, instanceFile, photos: photoDir, mails: mailDir } = dataLayout(dataFolder());
  const setting = {
    ...readRunning(runningFile),
    instance: keptInstance(instanceFile),
    photoDir,
    mailDir,
    environment,
  };
  return { ...serviceEnvironment(service, setting), LOG_LEVEL: environment['LOG_LEVEL'] ?? 'warn' };
}
