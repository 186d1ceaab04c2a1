import type { Output } from '@covalence/runtime/command';
import { CommandError, UsageError } from '@covalence/runtime/command-error';
import { queueNames, type QueueName } from '../topology.ts';
import { describeDeadLetter, letterLines, summarize, waitingLines } from './format.ts';
import type { DeadLetter, DeadLetters, SettlingAction } from './queue.ts';

/** The consequence of a drop, by queue. */
const afterDrop: Readonly<Record<QueueName, string>> = {
  'search.index': 'The index is outdated for these members: run covalence index repair afterwards.',
  'search.usage': 'Recorded searches lack these actions.',
  'updates.live': 'Open sockets are not notified; clients see the change when they fetch again.',
  'updates.push': 'Devices are not notified.',
  'profile.memberships': 'The records of these members do not show their paid membership.',
};

const lookedAt = 10_000;
const shown = 20;

/** Options of the commands on dead letters. */
export interface LetterOptions {
  readonly queue?: string;
  readonly type?: string;
  readonly limit?: string;
  readonly all?: boolean;
  readonly payload?: boolean;
  readonly yes?: boolean;
}

/** Writes a call, and the ids that it is about, to the audit log. Throws when it cannot. */
export type RecordCall = (call: string, about: readonly string[]) => Promise<unknown>;

/** Input of an action. */
interface Call {
  readonly letters: DeadLetters;
  readonly ids: readonly string[];
  readonly options: LetterOptions;
  readonly names: readonly QueueName[];
  readonly output: Output;
  /** Asks at the terminal; undefined if none is attached. */
  readonly ask: (question: string) => Promise<string | undefined>;
}

/** Resolves with false if there was nothing to do; throws a CommandError or the error of the broker. */
type Action = (call: Call) => Promise<boolean>;

/** The queue of that name, or all of them without a name. Throws a UsageError for an unknown name. */
export function queuesNamed(queue: string | undefined): readonly QueueName[] {
  if (queue === undefined) return queueNames;
  const named = queueNames.filter((name) => name === queue);
  if (named.length) return named;
  throw new UsageError(`There is no queue '${queue}': ${queueNames.join(', ')}.`);
}

const wanted =
  ({ ids, options: { type } }: Call) =>
  (letter: DeadLetter): boolean =>
    (!ids.length || ids.includes(letter.id)) && (type === undefined || letter.type === type);

/** The selected letters, at most `most` of them; they stay in their queues. */
async function find(call: Call, most: number): Promise<DeadLetter[]> {
  const isSearched = call.ids.length > 0 || call.options.type !== undefined;
  const found: DeadLetter[][] = [];
  for (const name of call.names) {
    const letters = await call.letters.read(name, isSearched ? Infinity : most);
    found.push(letters.filter(wanted(call)));
  }
  return found.flat().slice(0, most);
}

const list: Action = async ({ letters, names, output }) => {
  const counts = await letters.counts();
  const all = [];
  for (const name of names) {
    const oldest = counts[name] ? await letters.read(name, lookedAt) : [];
    all.push(summarize(name, Math.max(counts[name], oldest.length), oldest));
  }
  for (const line of all.flatMap((one) => waitingLines(one, new Date()))) output.line(line);
  output.data(all);
  return true;
};

function limitOf({ options: { limit }, ids }: Call): number {
  if (limit === undefined) return ids.length ? Infinity : shown;
  if (/^[1-9]\d{0,5}$/.test(limit)) return Number(limit);
  throw new UsageError('--limit is a number from 1 to 999999.');
}

const show: Action = async (call) => {
  const { options, output } = call;
  const found = await find(call, limitOf(call));
  const views = found.map((letter) => describeDeadLetter(letter, options.payload ?? false));
  for (const line of views.flatMap(letterLines)) output.line(line);
  if (!views.length) output.line('None of these wait.');
  else if (!options.payload) output.line('Show their content, which may be personal data, with --payload.');
  output.data(views);
  return views.length > 0;
};

const tally = (letters: readonly DeadLetter[]): string =>
  [...Map.groupBy(letters, ({ queue }) => queue)]
    .map(([name, some]) => `${some.length} of ${name}`)
    .join(', ');

/** The calls of staff that do the same. */
const calls: Readonly<Record<SettlingAction, string>> = {
  replay: 'POST /staff/operations/dead-letters/replay',
  drop: 'DELETE /staff/operations/dead-letters/:queue/:letterid',
};

/** Letters in one entry of the audit log. */
const recordedAtOnce = 100;

/** Writes the queues and letters that are about to be settled to the audit log. */
async function recordSettling(record: RecordCall, action: SettlingAction, meant: readonly DeadLetter[]) {
  for (const [queue, some] of Map.groupBy(meant, (letter) => letter.queue))
    for (let at = 0; at < some.length; at += recordedAtOnce)
      await record(calls[action], [queue, ...some.slice(at, at + recordedAtOnce).map(({ id }) => id)]);
}

/** Asks for confirmation, then replays or drops the letters that were selected at that moment. */
const settling =
  (action: SettlingAction, record: RecordCall): Action =>
  async (call) => {
    const { letters, ids, options, output, ask } = call;
    if (!ids.length && !options.queue && !options.type && !options.all) {
      throw new UsageError(
        'Select events: ids, --queue, --type or --all. `covalence events show` lists ids.',
      );
    }
    const meant = await find(call, Infinity);
    const touched = [...new Set(meant.map(({ queue }) => queue))];
    if (action === 'drop' && touched.includes('profile.memberships') && !options.queue) {
      throw new CommandError(
        `Among them are letters of profile.memberships. ${afterDrop['profile.memberships']} To drop them, name the queue: --queue profile.memberships.`,
      );
    }
    if (meant.length && !options.yes) {
      const effects = action === 'drop' ? touched.map((name) => ` ${afterDrop[name]}`) : [];
      const answer = await ask(`${action} ${tally(meant)}?${effects.join('')} [y/N] `);
      if (answer === undefined)
        throw new CommandError(
          'No terminal is attached to confirm this, and nothing was done. Repeat with --yes.',
        );
      if (!/^y(es)?$/i.test(answer.trim())) {
        output.line('Nothing was done.');
        return false;
      }
    }
    await recordSettling(record, action, meant);
    const settled: Pick<DeadLetter, 'queue' | 'id'>[] = [];
    const failed = await letters.settle(action, meant, settled).then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    const done = touched.map((name) => ({
      queue: name,
      count: settled.filter(({ queue }) => queue === name).length,
    }));
    for (const { queue, count } of done)
      output.line(`${queue}: ${count} ${action === 'drop' ? 'dropped' : 'replayed'}`);
    if (failed) throw failed.error;
    output.data(done);
    if (!meant.length) output.line('None of these wait.');
    const missing = ids.filter((id) => !meant.some((letter) => letter.id === id));
    if (missing.length && meant.length)
      throw new CommandError(`Not among the dead letters: ${missing.join(', ')}.`);
    return meant.length > 0;
  };

/** A command on dead letters. */
interface LetterCommand {
  readonly help: string;
  /** Ids of dead letters may follow. */
  readonly takesIds?: true;
  readonly flags: readonly (keyof LetterOptions)[];
  readonly run: Action;
}

/** The commands that look at dead letters, by name. */
const looking: Readonly<Record<string, LetterCommand>> = {
  list: {
    help: 'count the dead letters of each queue, with their age, types and errors',
    flags: ['queue'],
    run: list,
  },
  show: {
    help: 'describe dead letters; exit code 1 when there is none',
    takesIds: true,
    flags: ['queue', 'type', 'limit', 'payload'],
    run: show,
  },
};

/** The commands that change which dead letters there are. */
const settlings = (record: RecordCall): Readonly<Record<string, LetterCommand>> => ({
  replay: {
    help: 'send dead letters back to the queue that they were in',
    takesIds: true,
    flags: ['queue', 'type', 'all', 'yes'],
    run: settling('replay', record),
  },
  drop: {
    help: 'delete dead letters for good',
    takesIds: true,
    flags: ['queue', 'type', 'all', 'yes'],
    run: settling('drop', record),
  },
});

/** The commands on dead letters by name; without `record` those that look at them. */
export const letterCommands = (record: RecordCall | undefined) => ({
  ...looking,
  ...(record && settlings(record)),
});
