import { Failure } from '@covalence/contract/failure';
import { resolve } from 'node:path';
import type { ParseArgsOptionDescriptor } from 'node:util';
import { addressVariable } from '@covalence/stack/address-variable';
import { defaultData, root } from '@covalence/stack/checkout';
import { createConsole } from '@covalence/stack/cli/console';
import { readArguments } from '@covalence/stack/cli/read-arguments';
import { CommandError } from '@covalence/runtime/command-error';
import {
  createReach,
  secretVariable,
  type OperatedPart,
  type OperatorCaller,
  type Reach,
} from './part-target.ts';

/** What an action was called with. */
export interface ActionCall {
  /** The parts of the system that the command speaks to. */
  readonly reach: Reach;
  readonly environment: NodeJS.ProcessEnv;
  /** What was given in the places that `takes` names. */
  readonly given: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
}

/** One thing that a command does, e.g. `pnpm clients create`. */
export interface Action {
  /** Names of what it takes, in order; a last one that ends in … takes one or more. */
  readonly takes: readonly string[];
  readonly options?: Readonly<Record<string, ParseArgsOptionDescriptor & { readonly help: string }>>;
  readonly help: string;
  /** What a refusal (403) means. */
  readonly refused?: string;
  /** What a 404 means. */
  readonly missing?: string;
  /** What a 409 means. */
  readonly changed?: string;
  /** Resolves with the lines to print; throws CommandError for what a person can mend. */
  readonly run: (call: ActionCall) => Promise<readonly string[]>;
}

/** A command for whoever runs the system: `pnpm <name> <action> …`. */
export interface OperatorCommand {
  readonly name: string;
  readonly help: string;
  /** Whose credential it uses. */
  readonly caller: OperatorCaller;
  /** The parts it speaks to, for its help. */
  readonly parts: readonly OperatedPart[];
  readonly actions: Readonly<Record<string, Action>>;
}

const common = {
  help: { type: 'boolean', short: 'h' },
  data: { type: 'string' },
} as const;

const usageOf = (name: string, { takes, options = {} }: Action): string => {
  const flags = Object.keys(options).map((option) => `[--${option}]`);
  return [name, ...takes.map((one) => `<${one}>`), ...flags].join(' ');
};

/** Each option once, with the actions that take it. */
function optionLines({ actions }: OperatorCommand): string[] {
  const takenBy = new Map<string, string[]>();
  for (const [action, { options = {} }] of Object.entries(actions)) {
    for (const [option, { help }] of Object.entries(options)) {
      const line = `--${option}: ${help}`;
      takenBy.set(line, [...(takenBy.get(line) ?? []), action]);
    }
  }
  return [...takenBy].map(([line, by]) => `  ${line} (${by.join(', ')})`);
}

const takesOf = (name: string, { takes }: Action) => [name, ...takes.map((one) => `<${one}>`)].join(' ');

/** What `pnpm <command> --help` prints. */
export function helpOf(command: OperatorCommand): string {
  const { name, caller, help, parts, actions } = command;
  const all = Object.entries(actions);
  const width = Math.max(...all.map(([action, one]) => takesOf(action, one).length));
  const lines = all.map(([action, one]) => `  ${takesOf(action, one).padEnd(width)}  ${one.help}`);
  const options = optionLines(command);
  const variables = parts.map(addressVariable).join(', ');
  return `${help}

  pnpm ${name} <action> …

${[...lines, ...(options.length ? ['', ...options] : [])].join('\n')}

Speaks to the local stack that npm start runs (--data DIR: the one in another folder than .data). With ${variables} and
${secretVariable[caller]} in the environment it speaks to the ${parts.join(' and ')} service${parts.length > 1 ? 's' : ''} there.`;
}

function parse(name: string, { options = {} }: Action, args: readonly string[]) {
  const own = Object.fromEntries(
    Object.entries(options).map(([option, { help: _help, ...descriptor }]) => [option, descriptor]),
  );
  const config = { args: [...args], options: { ...own, ...common }, allowPositionals: true };
  return readArguments(config, `pnpm ${name} --help`);
}

const fits = ({ takes }: Action, count: number): boolean =>
  takes.at(-1)?.endsWith('…') ? count >= takes.length : count === takes.length;

/** A refusal as the line that a person can act upon. */
function explain(error: unknown, { refused, missing, changed }: Action): unknown {
  if (!(error instanceof Failure)) return error;
  const text = { 403: refused, 404: missing, 409: changed }[error.status];
  return new CommandError(text ?? `The service answers: ${error.message}.`);
}

/** Runs `pnpm <command> …`; resolves with the exit code. Throws a CommandError that says in one line what to do. */
export async function runOperatorCommand(
  command: OperatorCommand,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  const { say } = createConsole();
  const [name = '', ...rest] = args;
  if (/^(-h|--help|help)?$/.test(name) || rest.includes('--help') || rest.includes('-h')) {
    say(helpOf(command));
    return name === '' ? 1 : 0;
  }
  const action = Object.hasOwn(command.actions, name) ? command.actions[name] : undefined;
  if (!action) {
    const known = Object.keys(command.actions).join(', ');
    throw new CommandError(`pnpm ${command.name} has no '${name}': ${known}.`);
  }
  const { values, positionals } = parse(command.name, action, rest);
  if (!fits(action, positionals.length)) {
    throw new CommandError(`It is: pnpm ${command.name} ${usageOf(name, action)}`);
  }
  const folder = typeof values.data === 'string' ? resolve(root, values.data) : defaultData;
  const reach = createReach(environment, command.caller, folder);
  try {
    const lines = await action.run({ reach, environment, given: positionals, options: values });
    for (const line of lines) say(line);
    return 0;
  } catch (error) {
    throw explain(error, action);
  }
}
