import { readConfig } from '@covalence/runtime/config';
import { runService } from '@covalence/runtime/lifecycle';
import { createApp } from './app.ts';
import { startBackground } from './background.ts';
import { configSchema } from './config.ts';
import { createContext } from './context.ts';

const config = readConfig(configSchema, process.env);
const context = createContext(config);
const app = createApp(context);
await runService({ ...context, ...app, background: () => startBackground(context) }, config);
