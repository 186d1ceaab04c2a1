import { listedCodes } from '@covalence/geography/postal-places';
import { readConfig } from '@covalence/runtime/config';
import { runService } from '@covalence/runtime/lifecycle';
import { createServer } from 'node:http';
import { createApp } from './app.ts';
import { startBackground } from './background.ts';
import { configSchema } from './config.ts';
import { createContext } from './context.ts';

// Loaded at the start, so that no search waits for it.
listedCodes();

const config = readConfig(configSchema, process.env);
const context = createContext(config);
const server = createServer(createApp(context));
await runService({ ...context, server, background: () => startBackground(context) }, config);
