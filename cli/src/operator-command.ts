import { Failure } from '@covalence/contract/failure';
import { action, type Command } from '@covalence/runtime/command';
import { CommandError } from '@covalence/runtime/command-error';
import { oneLine } from '@covalence/runtime/one-line';
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

/** The text of an option; undefined if it is not given. */
export const stringOption = ({ options }: Pick<ActionCall, 'options'>, name: string): string | undefined => {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
};

/** True for an option that is given; otherwise undefined, which is not sent. */
export const flagOption = ({ options }: Pick<ActionCall, 'options'>, name: string): true | undefined =>
  options[name] === true || undefined;

/** The result of an action: lines for a person, and the value that `--json` prints. */
export interface Result {
  readonly lines: readonly string[];
  readonly data: unknown;
  /** Makes the exit code 1. */
  readonly hasProblems?: boolean;
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
  /** Explanations of refusals by their status. */
  readonly errors?: Readonly<Record<number, string>>;
  /** Throws a CommandError for what a person can fix. */
  readonly run: (call: ActionCall) => Promise<Result>;
}

/** Calls of services by their operators. */
interface OperatorCalls {
  readonly name: string;
  /** The caller whose credential is used. */
  readonly caller: OperatorCaller;
  /** The services that are called. */
  readonly services: readonly OperatedService[];
}

/** A group of actions that call services: `covalence <name> <action>`. */
export interface OperatorGroup extends OperatorCalls {
  /** Absent where the group also has commands that use stores, which describe it. */
  readonly help?: string;
  readonly actions: Readonly<Record<string, Action>>;
}

/** A single action that calls services: `covalence <name>`. */
export interface OperatorAction extends OperatorCalls, Action {}

/** Replaces a refusal of a service with its explanation. */
function explain(error: unknown, { errors = {} }: Action): unknown {
  if (!(error instanceof Failure)) return error;
  const { status, message, failcode = [], problems = [] } = error;
  const parts = problems.map(({ path, problem }) => `${path} ${problem}`);
  const answer = errors[status] ?? `The service answers: ${[message, ...failcode].join(' ')}.`;
  return new CommandError([answer, ...parts].map(oneLine).join('\n'));
}

/** Names the environment variables of a system other than the local stack. */
const systemHelp = ({ services, caller }: OperatorCalls): string => {
  const variables = [...services.map(addressVariable), secretVariable[caller]];
  return `\nCalls the local stack; with ${variables.join(', ')} in the environment, the system there.`;
};

function defineAction(
  command: Command,
  one: Action,
  { caller }: OperatorCalls,
  context: CommandContext,
): Command {
  command.description(one.help);
  for (const argument of one.takes ?? []) command.argument(argument);
  for (const [flags, text] of Object.entries(one.options ?? {})) command.option(flags, text);
  if (one.notes !== undefined) command.addHelpText('after', `\n${one.notes}`);
  return command.action(
    action<Options>(async ({ args, options, output }) => {
      const reach = createReach(context, caller);
      try {
        const { lines, data, hasProblems } = await one.run({ reach, context, args, options });
        for (const line of lines) output.line(line);
        output.data(data);
        return !hasProblems;
      } catch (error) {
        throw explain(error, one);
      }
    }),
  );
}

/** Adds a group of actions to the program, or to the group of that name, whose other commands use stores. */
export function addOperatorGroup(program: Command, group: OperatorGroup, context: CommandContext): void {
  const { name: groupName, help = '', actions } = group;
  const known = program.commands.find((one) => one.name() === groupName);
  const command = known ?? program.command(groupName).description(help);
  if (!known) command.addHelpText('after', systemHelp(group));
  for (const [name, one] of Object.entries(actions)) {
    const added = defineAction(command.command(name), one, group, context);
    if (known) added.addHelpText('after', systemHelp(group));
  }
}

/** Adds a single action to the program. */
export function addOperatorAction(program: Command, one: OperatorAction, context: CommandContext): void {
  defineAction(program.command(one.name), one, one, context).addHelpText('after', systemHelp(one));
}
