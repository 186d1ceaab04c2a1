import { listenForInterruption, untilInterrupted } from '@covalence/runtime/interruption';
import { rmSync } from 'node:fs';
import { dataFolder, type DataFolder } from '../checkout.ts';
import { clearData } from '../processes/clear-data.ts';
import { keepRunning } from '../processes/keep-running.ts';
import { lockFolder } from '../processes/lock.ts';
import { stopLeftovers } from '../processes/stop-leftovers.ts';
import { portProblem } from '../processes/port-problem.ts';
import { writePrivateFile } from '@covalence/runtime/private-file';
import { readSeedState, seedVersion } from '@covalence/seed/seed-state';
import { seedSystem } from '@covalence/seed/seed';
import { keptInstance } from '../services/instance.ts';
import { writeRunning } from '../services/running.ts';
import { seedTarget } from '../services/seed-target.ts';
import { servicePorts } from '../services/service-ports.ts';
import { CommandError } from '@covalence/runtime/command-error';
import { startStack, type Stack } from '../stack.ts';
import { createConsole, type Console } from './console.ts';
import {
  defaultMembers,
  defaultSeed,
  readStartOptions,
  startHelp,
  type StartOptions,
} from './start-options.ts';
import { summary } from './summary.ts';

/** The gateway listens on the first; a browser may take `localhost` for the second. */
const loopbacks = ['127.0.0.1', '::1'];

const portHints: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use by another program. Stop that one, or take another port: PORT=8081 npm start',
  EACCES: 'may only be used by root. Take one above 1023: PORT=8080 npm start',
};

/** Makes sure that the gateway will be able to listen; throws a CommandError that says what to do. */
async function requirePort(port: number): Promise<void> {
  for (const host of loopbacks) {
    const hint = portHints[(await portProblem(port, host)) ?? ''];
    if (hint) throw new CommandError(`Port ${port} ${hint}`);
  }
}

/** What the population is drawn from: what is there already, else what was asked for. A CommandError where they differ. */
function populationOf({ members, seed }: StartOptions, data: DataFolder, say: Console['say']) {
  const there = readSeedState(data.seedFile);
  if (!there) return { count: members ?? defaultMembers, seed: seed ?? defaultSeed };
  if ((members ?? there.count) !== there.count || (seed ?? there.seed) !== there.seed) {
    throw new CommandError(
      `This stack has its ${there.count} members of seed number ${there.seed} already. To begin anew: npm start -- --reset with --members and --seed.`,
    );
  }
  if (there.version !== seedVersion) {
    say('The members here were made by another version. npm start -- --reset makes new ones.');
  }
  return there;
}

/** Runs the stack until it is interrupted: seed, summary, and a watch over everything that runs. */
async function serve(stack: Stack, console: Console, stopped: AbortSignal, seed: () => Promise<string>) {
  const watches = [...stack.engines.values(), ...stack.services.values()].map((unit) =>
    keepRunning(unit, console.progress, stopped),
  );
  // They end by rejecting when the stack is stopped.
  void Promise.allSettled(watches);
  console.say(await seed());
  await untilInterrupted(stopped);
}

/**
 * `npm start`: resolves with the exit code when the stack has been stopped. Throws a CommandError that says what to do.
 */
export async function start(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const options = readStartOptions(args, environment);
  const console = createConsole();
  if (options.help) {
    console.say(startHelp);
    return 0;
  }

  const stopped = listenForInterruption(() => {
    console.say('Not waiting any longer; what still runs ends within 10 s.');
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
    // In a new stack there is nothing to migrate; that it is as this version has it is noted all the same.
    const isNew = readSeedState(data.seedFile) === undefined;
    const stack = await startStack({
      data,
      instance,
      ports,
      publicUrl: url,
      around: environment,
      migrated: isNew ? () => {} : console.progress,
      progress: console.progress,
      stopped,
    });
    try {
      writeRunning(data.runningFile, { stack, ports });
      await serve(stack, console, stopped, async () => {
        const demo = await seedSystem({
          ...seedTarget({ stack, data, instance, around: environment }),
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
