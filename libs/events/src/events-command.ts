import { errorText } from '@covalence/runtime/error-text';
import { argumentProblem } from '@covalence/runtime/tool-help';
import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { declareTopologyAt } from './declare.ts';
import { actions, queuesNamed, Refusal } from './dead-letter-actions.ts';
import { openDeadLetters, type DeadLetters } from './dead-letters.ts';

/** Where the command works, and whom it speaks with. */
export interface EventsCommandOptions {
  /** The broker's address and the namespace; asked for when a command needs them, so that `--help` needs neither. */
  readonly where: () => { readonly url: string; readonly namespace: string };
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream;
  readonly problems: NodeJS.WritableStream;
}

const options = {
  queue: { type: 'string' },
  type: { type: 'string' },
  limit: { type: 'string' },
  all: { type: 'boolean' },
  payload: { type: 'boolean' },
  json: { type: 'boolean' },
  yes: { type: 'boolean', short: 'y' },
  help: { type: 'boolean', short: 'h' },
} as const;

const usage = `The queues of events, and dead letters: events that a consumer gave up. No dead letter is lost until it is dropped.

  pnpm events declare               declares exchanges, queues and bindings; safe to repeat
  pnpm events list                  how many wait in each queue, since when, what and why
  pnpm events show [<id>…]          what is known of them; 20 at most where no id is given
  pnpm events replay [<id>…]        sends them back to the queue that they died in
  pnpm events drop [<id>…]          takes them away for good

  --queue, --type: only those of this queue, of this type
  --all: all of them, where neither ids nor a queue nor a type are given (replay, drop)
  --yes: does not ask (replay, drop)
  --payload: shows their content, which may be about a person (show)
  --limit: shows as many at most (show)
  --json: prints JSON

Exit code: 0 done, 1 nothing found, not confirmed or not possible now, 64 wrongly called.`;

const parse = (args: readonly string[]) => parseArgs({ args: [...args], options, allowPositionals: true });

async function asked(
  { input, problems }: EventsCommandOptions,
  question: string,
): Promise<string | undefined> {
  if (!input.isTTY) return undefined;
  const terminal = createInterface({ input, output: problems });
  try {
    return await Promise.race([terminal.question(question), once(terminal, 'close').then(() => '')]);
  } finally {
    terminal.close();
  }
}

/** Declares exchanges, queues and bindings; resolves with the exit code. */
async function declare(
  { where }: EventsCommandOptions,
  print: (line: string) => void,
  complain: (line: string) => void,
): Promise<number> {
  const { url, namespace } = where();
  try {
    await declareTopologyAt(url, namespace);
    print(`Exchanges, queues and bindings of ${namespace} are declared.`);
    return 0;
  } catch (error) {
    complain(`RabbitMQ cannot declare them now: ${errorText(error)}`);
    return 1;
  }
}

/**
 * `pnpm events`: declares the queues and looks at the dead letters of a namespace and replays or drops them. Resolves with the exit code. Killed in
 * the middle, it has lost none: what was not confirmed in its queue is still a dead letter.
 */
export async function runEventsCommand(
  args: readonly string[],
  settings: EventsCommandOptions,
): Promise<number> {
  const { where, output, problems } = settings;
  const print = (line: string) => void output.write(`${line}\n`);
  const complain = (line: string) => void problems.write(`${line}\n`);
  let call: ReturnType<typeof parse>;
  try {
    call = parse(args);
  } catch (error) {
    complain(`${argumentProblem(error)}. See pnpm events --help.`);
    return 64;
  }
  const { values, positionals } = call;
  const [name = '', ...ids] = positionals;
  if (name === 'declare' && !ids.length && !values.help) return declare(settings, print, complain);
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (!action || values.help) {
    print(usage);
    return values.help ? 0 : 64;
  }
  const { url, namespace } = where();
  let letters: DeadLetters | undefined;
  try {
    const names = queuesNamed(values.queue);
    letters = await openDeadLetters(url, namespace);
    const ask = (question: string) => asked(settings, question);
    return await action({ letters, ids, values, names, print, ask });
  } catch (error) {
    if (error instanceof Refusal) {
      complain(error.message);
      return error.code;
    }
    complain(`RabbitMQ cannot do this now; what it did before is done: ${String(error)}`);
    return 1;
  } finally {
    await letters?.close().catch(() => undefined);
  }
}
