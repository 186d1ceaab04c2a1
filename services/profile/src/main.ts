import { fields } from '@covalence/contract/catalogue/fields';
import { catalogueProblems } from '@covalence/contract/catalogue/check-catalogue';
import { gazetteer } from '@covalence/geography/gazetteer';
import { listedCodes } from '@covalence/geography/postal-places';
import { readConfig } from '@covalence/runtime/config';
import { runService } from '@covalence/runtime/lifecycle';
import { createServer } from 'node:http';
import { createApp } from './app.ts';
import { startBackground, type Background } from './background.ts';
import { configSchema } from './config.ts';
import { createContext } from './context.ts';

const problems = catalogueProblems(fields);
if (problems.length) {
  process.stderr.write(`The field catalogue is invalid:\n${problems.join('\n')}\n`);
  process.exit(78);
}

// Loaded at the start, so that no registration waits for it.
gazetteer();
listedCodes();

const config = readConfig(configSchema, process.env);
const context = createContext(config);
let background: Background | undefined;

await runService(
  {
    server: createServer(createApp(context)),
    health: context.health,
    metrics: context.metrics,
    logger: context.logger,
    start: () => {
      background = startBackground(context);
      return Promise.resolve();
    },
    close: async () => {
      await background?.close();
      await context.close();
    },
  },
  config,
);
