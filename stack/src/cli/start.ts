import { listenForInterruption, untilInterrupted } from '@covalence/runtime/interruption';
import { rmSync } from 'node:fs';
import { dataFolder, type DataFolder } from '../checkout.ts';
import { clearData } from '../processes/clear-data.ts';
import { keepRunning } from '../processes/keep-running.ts';
import { lockFolder } from '../processes/lock.ts';
import { stopLeftovers } from '../processes/stop-leftovers.ts';
import { portProblem } from '../engines/free-ports.ts';
import { writePrivateFile } from '@covalence/runtime/private-file';
import { readSeedState, seedVersion } from '@covalence/seed/seed-state';
import { seedSystem } from '@covalence/seed/seed';
import { keptInstance } from '../services/instance.ts';
import { writeRunning } from '../services/running.ts';
import { seedTarget } from '../services/seed-target.ts';
import { servicePorts } from '../services/service-ports.ts';
import { CommandError } from '@covalence/runtime/command-error';
import { startStack, type Stack } from '../services/stack.ts';
import { createConsole, type Console } from './console.ts';
import {
  defaultMembers,
  defaultSeed,
  readStartOptions,
  startHelp,
  type StartOptions,
} from './start-options.ts';
import { summary } from './summary.ts';

/** The gateway listens on the first; browsers may resolve `localhost` to the second. */
const loopbacks = ['127.0.0.1', '::1'];

const portHints: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use by another program. Stop it, or choose another port: PORT=8081 npm start',
  EACCES: 'is reserved for root. Choose a port above 1023: PORT=8080 npm start',
};

/** Throws a CommandError when the gateway could not listen on the port. */
async function requirePort(port: number): Promise<void> {
  for (const host of loopbacks) {
    const hint = portHints[(await portProblem(port, host)) ?? ''];
    if (hint) throw new CommandError(`Port ${port} ${hint}`);
  }
}

/** The size and the seed of the existing population, else of the options. Throws a CommandError when they differ. */
function populationOf({ members, seed }: StartOptions, data: DataFolder, say: Console['say']) {
  const there = readSeedState(data.seedFile);
  if (!there) return { count: members ?? defaultMembers, seed: seed ?? defaultSeed };
  if ((members ?? there.count) !== there.count || (seed ?? there.seed) !== there.seed) {
    throw new CommandError(
      `This stack already has ${there.count} members of seed ${there.seed}. To replace them, add --reset.`,
    );
  }
  if (there.version !== seedVersion) {
    say('The members were created by another version. npm start -- --reset creates new ones.');
  }
  return there;
}

/** Seeds, prints the summary, and restarts what ends, until the command is interrupted. */
async function serve(stack: Stack, console: Console, stopped: AbortSignal, seed: () => Promise<string>) {
  const nodes = [...stack.engines.values()].flatMap((engine) => engine.nodes);
  const watches = [...nodes, ...stack.services.values()].map((unit) =>
    keepRunning(unit, console.progress, stopped),
  );
  // Each rejects when the stack is stopped.
  void Promise.allSettled(watches);
  console.say(await seed());
  await untilInterrupted(stopped);
}

/** `npm start`: resolves with the exit code when the stack has stopped. */
export async function start(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const options = readStartOptions(args, environment);
  const console = createConsole();
  if (options.help) {
    console.say(startHelp);
    return 0;
  }

  const stopped = listenForInterruption(() => {
    console.say('Exiting; remaining processes end within 10 s.');
    process.exit(1);
  });
  const url = `http://localhost:${options.port}`;
  const data = dataFolder(options.dataPath);
  const lock = await lockFolder(data.path, url, stopped);
  stopped.addEventListener('abort', () => {
    lock.stopping();
    console.progress('Stopping …');
  });
  try {
    await requirePort(options.port);
    await stopLeftovers(data);
    if (options.reset) clearData(data);
    const population = populationOf(options, data, console.say);
    const instance = keptInstance(data.instanceFile);
    const ports = await servicePorts(data.portsFile, options.port);
    // Migrations also run in a new stack, which records its version, but are not shown.
    const isNew = readSeedState(data.seedFile) === undefined;
    const stack = await startStack({
      data,
      instance,
      ports,
      publicUrl: url,
      environment,
      clustered: options.clustered,
      onMigration: isNew ? () => {} : console.progress,
      progress: console.progress,
      stopped,
    });
    try {
      writeRunning(data.runningFile, { stack, ports });
      await serve(stack, console, stopped, async () => {
        const demo = await seedSystem({
          ...seedTarget({ stack, data, instance, environment }),
          ...population,
          progress: console.progress,
          stopped,
        });
        writePrivateFile(data.demoFile, demo);
        return summary(demo, data, environment);
      });
    } finally {
      rmSync(data.runningFile, { force: true });
      await stack.stop();
    }
  } catch (error) {
    if (!stopped.aborted) throw error;
  } finally {
    await lock.release();
  }
  console.progress('Stopped');
  return 0;
}
