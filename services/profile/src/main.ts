import { fields } from '@covalence/contract/catalogue/fields';
import { catalogueProblems } from '@covalence/contract/catalogue/check-catalogue';
import { gazetteer } from '@covalence/geography/gazetteer';
import { listedCodes } from '@covalence/geography/postal-places';
import { readConfig } from '@covalence/runtime/config';
import { runService } from '@covalence/runtime/lifecycle';
import { createServer } from 'node:http';
import { createApp } from './app.ts';
import { startBackground } from './background.ts';
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
const server = createServer(createApp(context));
await runService({ ...context, server, background: () => startBackground(context) }, config);
