import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errorCode } from './engines/system-error.ts';
import { CommandError } from '@covalence/runtime/command-error';

/** The folder of this checkout. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Where everything is kept that is not named otherwise: data of `npm start`, and a folder for each test run. */
export const defaultData = join(root, '.data');

/** Compiled code that Node.js keeps, so that services start faster; every stack of the checkout shares it. */
export const codeCache = join(defaultData, 'code-cache');

/** Where one stack keeps what it owns; everything in it can be deleted while the stack is stopped. */
export interface DataFolder {
  readonly path: string;
  /** Data of the engines, a folder each. */
  readonly engines: string;
  /** What is known of the services' processes, a folder each. */
  readonly services: string;
  /** One log file per engine and service. */
  readonly logs: string;
  /** Photo storage of the profile service. */
  readonly photos: string;
  /** The mails that the stack has sent, one .eml file each. */
  readonly mails: string;
  /** What makes this stack itself: namespace and secrets; readable by its owner only. */
  readonly instanceFile: string;
  readonly portsFile: string;
  /** How far the seed came. */
  readonly seedFile: string;
  readonly demoFile: string;
  /** Addresses of the stack that runs; there while it does. */
  readonly runningFile: string;
}

/** The layout of a data folder, whether it is there or not. */
export function dataLayout(path: string): DataFolder {
  const inside = (name: string) => join(path, name);
  return {
    path,
    engines: inside('engines'),
    services: inside('services'),
    logs: inside('logs'),
    photos: inside('photos'),
    mails: inside('mails'),
    instanceFile: inside('instance.json'),
    portsFile: inside('ports.json'),
    seedFile: inside('seed.json'),
    demoFile: inside('demo.json'),
    runningFile: inside('running.json'),
  };
}

/** Only the owner may look into folders with secrets, logs and members' data. */
const ownersOnly = 0o700;

/** The layout of a data folder; creates the folder, for its owner only. Throws a CommandError where a file is in its way. */
export function dataFolder(path: string): DataFolder {
  const data = dataLayout(path);
  try {
    mkdirSync(path, { recursive: true, mode: ownersOnly });
    // Versions before let everybody look in. A folder that is not a stack's stays as it is.
    if (existsSync(data.instanceFile)) chmodSync(path, ownersOnly);
    if (`${path}${sep}`.startsWith(`${defaultData}${sep}`)) chmodSync(defaultData, ownersOnly);
  } catch (error) {
    if (!['EEXIST', 'ENOTDIR'].includes(String(errorCode(error)))) throw error;
    throw new CommandError(`${path} cannot be a folder: a file is in its way.`);
  }
  return data;
}
