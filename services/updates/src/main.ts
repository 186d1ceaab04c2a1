import { readConfig } from '@covalence/runtime/config';
import { runService } from '@covalence/runtime/lifecycle';
import { createApp } from './app.ts';
import { configSchema } from './config.ts';
import { createContext } from './context.ts';
import { startConsumers } from './consumers.ts';
import { watchPresence } from './presence/watch-presence.ts';

const config = readConfig(configSchema, process.env);
const context = createContext(config);
const app = createApp(context);
let background: readonly { close(): Promise<void> }[] = [];

await runService(
  {
    server: app.server,
    health: context.health,
    metrics: context.metrics,
    logger: context.live.logger,
    start: () => {
      background = [startConsumers(context), watchPresence(context)];
      return Promise.resolve();
    },
    goAway: () => app.goAway(),
    close: async () => {
      context.publisher.closeSoon();
      await Promise.all(background.map((each) => each.close()));
      await context.close();
    },
  },
  config,
);
