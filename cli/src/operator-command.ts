import { Failure } from '@covalence/contract/failure';
import { action, type Command } from '@covalence/runtime/command';
import { CommandError } from '@covalence/runtime/command-error';
import { addressVariable } from '@covalence/stack/address-variable';
import type { CommandContext } from './command-context.ts';
import {
  createReach,
  secretVariable,
  type OperatedService,
  type OperatorCaller,
  type Reach,
} from './service-target.ts';

/** Values of the options, by their name in camel case. */
type Options = Readonly<Record<string, string | boolean | undefined>>;

/** Input of an action. */
export interface ActionCall {
  /** The services that the command calls. */
  readonly reach: Reach;
  readonly context: CommandContext;
  readonly args: readonly string[];
  readonly options: Options;
}

/** The result of an action: lines for a person, and the value that `--json` prints. */
export interface Result {
  readonly lines: readonly string[];
  readonly data: unknown;
}

/** One action, e.g. `covalence clients create`. */
export interface Action {
  /** Arguments as commander writes them: `<name>`, `[name]`, `<name...>`. */
  readonly takes?: readonly string[];
  /** Help by flags: `--staff`, `--reason <text>`. */
  readonly options?: Readonly<Record<string, string>>;
  readonly help: string;
  /** More help of the command, below its options. */
  readonly notes?: string;
  /** Explanation of a status 403. */
  readonly refused?: string;
  /** Explanation of a status 404. */
  readonly missing?: string;
  /** Explanation of a status 409. */
  readonly changed?: string;
  /** Throws a CommandError for what a person can fix. */
  readonly run: (call: ActionCall) => Promise<Result>;
}

/** A group of actions that call services: `covalence <name> <action>`. */
export interface OperatorCommand {
  readonly name: string;
  readonly help: string;
  /** The caller whose credential the actions use. */
  readonly caller: OperatorCaller;
  /** The services that the actions call. */
  readonly services: readonly OperatedService[];
  readonly actions: Readonly<Record<string, Action>>;
}

/** Replaces a refusal of a service with its explanation. */
function explain(error: unknown, { refused, missing, changed }: Action): unknown {
  if (!(error instanceof Failure)) return error;
  const text = { 403: refused, 404: missing, 409: changed }[error.status];
  return new CommandError(text ?? `The service answers: ${error.message}.`);
}

/** Adds a group of actions to the program. */
export function addOperatorCommand(
  program: Command,
  { name, help, caller, services, actions }: OperatorCommand,
  context: CommandContext,
): void {
  const variables = [...services.map(addressVariable), secretVariable[caller]];
  const group = program
    .command(name)
    .description(help)
    .addHelpText(
      'after',
      `\nCalls the local stack; with ${variables.join(', ')} in the environment, the system there.`,
    );
  for (const [title, one] of Object.entries(actions)) {
    const command = group.command(title).description(one.help);
    if (one.notes !== undefined) command.addHelpText('after', `\n${one.notes}`);
    for (const argument of one.takes ?? []) command.argument(argument);
    for (const [flags, text] of Object.entries(one.options ?? {})) command.option(flags, text);
    command.action(
      action<Options>(async ({ args, options, output }) => {
        const reach = createReach(context, caller);
        try {
          const { lines, data } = await one.run({ reach, context, args, options });
          for (const line of lines) output.line(line);
          output.data(data);
        } catch (error) {
          throw explain(error, one);
        }
      }),
    );
  }
}
