import { Command, CommanderError } from 'commander';
import { CommandError, errorAtTerminal, ignoreBrokenPipe } from './command-error.ts';

export type { Command } from 'commander';

/** The output streams of a program. */
export interface Streams {
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
}

/** The output of a command: lines for a person or, with `--json`, one JSON value. */
export interface Output {
  /** Prints a line for a person; does nothing with `--json`. */
  readonly line: (text: string) => void;
  /** Prints the result as JSON; does nothing without `--json`. */
  readonly data: (value: unknown) => void;
  /** Prints a problem on standard error. */
  readonly problem: (text: string) => void;
}

/** Input of the action of a command. */
export interface Call<Options> {
  /** Positional arguments, those of a variadic one in line. */
  readonly args: readonly string[];
  readonly options: Options;
  readonly output: Output;
}

/** Thrown by a command that has printed its result and ends with exit code 1. */
class Finished extends Error {}

const streamsOf = new WeakMap<Command, Streams>();

const rootOf = (command: Command): Command => (command.parent ? rootOf(command.parent) : command);

function outputOf(command: Command, json: boolean): Output {
  const { stdout, stderr } = streamsOf.get(rootOf(command)) ?? process;
  return {
    line: (text) => void (json || stdout.write(`${text}\n`)),
    data: (value) => void (json && stdout.write(`${JSON.stringify(value, null, 2)}\n`)),
    problem: (text) => void stderr.write(`${text}\n`),
  };
}

/** The action of a command. The command ends with exit code 1 when `run` resolves with false. */
export function action<Options>(run: (call: Call<Options>) => Promise<boolean | void>) {
  return async (...given: readonly unknown[]): Promise<void> => {
    const command = given.at(-1) as Command;
    const options = command.optsWithGlobals<Options & { json?: boolean }>();
    const args = given
      .slice(0, -2)
      .flat()
      .filter((one) => one !== undefined) as string[];
    const isDone = await run({ args, options, output: outputOf(command, options.json === true) });
    if (isDone === false) throw new Finished();
  };
}

/** Creates a program. It reports a usage error in one line; commands that are added inherit that. */
export function createProgram(name: string, description: string, streams: Streams = process): Command {
  const program = new Command(name)
    .description(description)
    .helpCommand(false)
    .exitOverride()
    .showSuggestionAfterError(false)
    .option('--json', 'print the result as JSON')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => void streams.stdout.write(text),
      writeErr: (text) => void streams.stderr.write(text),
      outputError: (text, write) => {
        const problem = text.replace(/^error: /, '').trim();
        write(`${problem.charAt(0).toUpperCase()}${problem.slice(1).replace(/\.$/, '')}. See --help.\n`);
      },
    });
  streamsOf.set(program, streams);
  return program;
}

/** Runs a program and resolves with the exit code: 0, 1 for a failure, 64 for a usage error, 78 for a bad environment. */
export async function runProgram(program: Command, args: readonly string[]): Promise<number> {
  ignoreBrokenPipe();
  try {
    await program.parseAsync([...args], { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof Finished) return 1;
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 64;
    outputOf(program, false).problem(errorAtTerminal(error));
    return error instanceof CommandError ? error.exitCode : 1;
  }
}
