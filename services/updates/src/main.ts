import { readConfig } from '@covalence/runtime/config';
import { runService } from '@covalence/runtime/lifecycle';
import { createApp } from './app.ts';
import { configSchema } from './config.ts';
import { createContext } from './context.ts';
import { startConsuming } from './events/consume.ts';
import { watchPresence } from './presence/watch-presence.ts';

const config = readConfig(configSchema, process.env);
const context = createContext(config);
const app = createApp(context);
const consumer = startConsuming(context);
const presence = watchPresence(context);
await runService(
  {
    server: app.server,
    health: context.health,
    metrics: context.metrics,
    logger: context.logger,
    goAway: () => app.goAway(),
    close: async () => {
      await Promise.all([consumer.close(), presence.close()]);
      await context.close();
    },
  },
  config,
);
