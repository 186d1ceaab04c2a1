import { mongodbUrl, rabbitmqUrl } from '@covalence/runtime/addresses';
import { action, type Command } from '@covalence/runtime/command';
import { CommandError } from '@covalence/runtime/command-error';
import { baseConfig, readToolConfig } from '@covalence/runtime/config';
import { errorText } from '@covalence/runtime/error-text';
import { createHealth } from '@covalence/runtime/health';
import { createLogger } from '@covalence/runtime/logger';
import { connectMongo, mongoReady } from '@covalence/runtime/mongo';
import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { z } from 'zod';
import { letterCommands, queuesNamed, type LetterOptions, type RecordCall } from './dead-letters/commands.ts';
import { openDeadLetters, type OpenDeadLetters } from './dead-letters/queue.ts';
import { inTurn } from './dead-letters/turns.ts';
import { declareTopologyAt, serviceOf } from './topology.ts';

const settings = z.object({
  NAMESPACE: baseConfig.NAMESPACE,
  RABBITMQ_URL: rabbitmqUrl,
  MONGODB_URL: mongodbUrl.optional(),
});

/** How long a command waits for the console or another command, ms. */
const waitMs = 20_000;
const mongoLimitMs = 5_000;

const late = () => new CommandError('The console or another command reads the dead letters. Repeat this.');

/** Environment and terminal of the commands. */
interface EventsCommandSettings {
  /** Read when a command runs, so that `--help` needs no environment. */
  readonly environment: () => NodeJS.ProcessEnv;
  /** Writes `replay` and `drop` to the audit log. Without it there is neither. */
  readonly record?: RecordCall;
  /** The terminal that confirms `replay` and `drop`. */
  readonly terminal?: {
    readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
    readonly output: NodeJS.WritableStream;
  };
}

const brokerOf = ({ environment }: EventsCommandSettings) => {
  const {
    NAMESPACE: namespace,
    RABBITMQ_URL: url,
    MONGODB_URL: mongodb,
  } = readToolConfig(settings, environment());
  return { namespace, url, mongodb };
};

/** Opens the dead letters; with a database, in turn with the console and other commands. */
async function openLetters({ url, namespace, mongodb }: ReturnType<typeof brokerOf>) {
  if (mongodb === undefined) return openDeadLetters(url, namespace);
  const logger = createLogger('covalence', 'silent');
  const database = `${namespace}-profile`;
  const connection = connectMongo({ url: mongodb, database, logger, health: createHealth() });
  try {
    await mongoReady(connection, mongoLimitMs);
    const letters = await openDeadLetters(url, namespace, (queue, work) =>
      inTurn(connection, serviceOf(queue), { waitMs, late }, work),
    );
    return {
      ...letters,
      async close() {
        await letters.close();
        await connection.close();
      },
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** Asks a question; undefined where no terminal is attached. */
async function ask(
  { terminal = { input: process.stdin, output: process.stderr } }: EventsCommandSettings,
  question: string,
): Promise<string | undefined> {
  if (!terminal.input.isTTY) return undefined;
  const prompt = createInterface(terminal);
  try {
    return await Promise.race([prompt.question(question), once(prompt, 'close').then(() => '')]);
  } finally {
    prompt.close();
  }
}

/** Options of the commands on dead letters. */
const flags: Readonly<Record<keyof LetterOptions, readonly [flag: string, help: string]>> = {
  queue: ['--queue <name>', 'only those of this queue'],
  type: ['--type <type>', 'only those of this type'],
  all: ['--all', 'all of them'],
  limit: ['--limit <count>', 'at most this many (default 20 without ids)'],
  payload: ['--payload', 'show their content, which may be personal data'],
  yes: ['-y, --yes', 'do not ask for confirmation'],
};

/**
 * Adds `events declare|list|show|replay|drop`. Dead letters are events that a consumer gave up on. A killed command loses
 * none: a letter stays dead until its queue has confirmed it.
 */
export function addEventsCommands(program: Command, where: EventsCommandSettings): void {
  const group = program
    .command('events')
    .description('event queues, and dead letters: events that a consumer gave up on');
  group
    .command('declare')
    .description('declare exchanges, queues and bindings; safe to repeat')
    .action(
      action(async ({ output }) => {
        const { url, namespace } = brokerOf(where);
        await declareTopologyAt(url, namespace).catch((error: unknown) => {
          throw new CommandError(`RabbitMQ cannot declare the queues now: ${errorText(error)}`);
        });
        output.line(`Exchanges, queues and bindings of ${namespace} are declared.`);
        output.data({ namespace });
      }),
    );
  for (const [name, { help, takesIds, flags: accepted, run }] of Object.entries(
    letterCommands(where.record),
  )) {
    const command = group.command(name).description(help);
    if (takesIds) command.argument('[id...]', 'ids of dead letters');
    for (const flag of accepted) command.option(flags[flag][0], flags[flag][1]);
    command.action(
      action<LetterOptions>(async ({ args: ids, options, output }) => {
        const names = queuesNamed(options.queue);
        const broker = brokerOf(where);
        let letters: OpenDeadLetters | undefined;
        try {
          letters = await openLetters(broker);
          return await run({ letters, ids, options, names, output, ask: (text) => ask(where, text) });
        } catch (error) {
          if (error instanceof CommandError) throw error;
          throw new CommandError(`The command cannot do this now, and can be repeated: ${errorText(error)}`);
        } finally {
          await letters?.close().catch(() => undefined);
        }
      }),
    );
  }
}
