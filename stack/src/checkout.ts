import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errorCode } from './system-error.ts';
import { CommandError } from '@covalence/runtime/command-error';

/** The folder of this checkout. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** The console as it is built for the gateway. */
export const consoleFolder = join(root, 'apps/console/dist');

/** The data of `npm start`, and a folder for each test run. */
export const defaultData = join(root, '.data');

/** The compile cache of Node.js, shared by every stack of the checkout. */
export const codeCache = join(defaultData, 'code-cache');

/** The layout of a data folder, which need not exist. Everything in it can be deleted while the stack is stopped. */
export const dataLayout = (path: string) => ({
  path,
  /** A data folder per engine. */
  engines: join(path, 'engines'),
  /** A folder per service with the record of its process. */
  services: join(path, 'services'),
  /** A log file per engine and service. */
  logs: join(path, 'logs'),
  /** The photos of the profile service. */
  photos: join(path, 'photos'),
  /** The sent mails, an .eml file each. */
  mails: join(path, 'mails'),
  /** Namespace and secrets; readable by its owner only. */
  instanceFile: join(path, 'instance.json'),
  portsFile: join(path, 'ports.json'),
  /** The progress of the seed. */
  seedFile: join(path, 'seed.json'),
  demoFile: join(path, 'demo.json'),
  /** The addresses of the stack; exists while it runs. */
  runningFile: join(path, 'running.json'),
});

/** The files of one stack. */
export type DataFolder = Readonly<ReturnType<typeof dataLayout>>;

/** Creates a data folder for its owner only, and closes one that others could read. Throws a CommandError for a file. */
export function dataFolder(path: string): DataFolder {
  const data = dataLayout(path);
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    if (existsSync(data.instanceFile)) chmodSync(path, 0o700);
  } catch (error) {
    if (!['EEXIST', 'ENOTDIR'].includes(String(errorCode(error)))) throw error;
    throw new CommandError(`${path} cannot be a folder: a file is in its way.`);
  }
  return data;
}
