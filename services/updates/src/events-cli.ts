import { runEventsCommand } from '@covalence/events/events-command';
import { rabbitmqUrl } from '@covalence/runtime/addresses';
import { baseConfig, readConfig } from '@covalence/runtime/config';
import { ignoreBrokenPipe } from '@covalence/runtime/broken-pipe';
import { z } from 'zod';

const settings = z.object({ NAMESPACE: baseConfig.NAMESPACE, RABBITMQ_URL: rabbitmqUrl });

ignoreBrokenPipe();
process.exitCode = await runEventsCommand(process.argv.slice(2), {
  where: () => {
    const { NAMESPACE: namespace, RABBITMQ_URL: url } = readConfig(settings, process.env);
    return { url, namespace };
  },
  input: process.stdin,
  output: process.stdout,
  problems: process.stderr,
});
