import { runEventsCommand } from '@covalence/events/events-command';
import { baseConfig, readConfig } from '@covalence/runtime/config';
import { z } from 'zod';

const { NAMESPACE, RABBITMQ_URL } = readConfig(
  z.object({ NAMESPACE: baseConfig.NAMESPACE, RABBITMQ_URL: z.url() }),
  process.env,
);
process.exitCode = await runEventsCommand(process.argv.slice(2), {
  url: RABBITMQ_URL,
  namespace: NAMESPACE,
  input: process.stdin,
  output: process.stdout,
  problems: process.stderr,
});
