import { letterLines, letterView, summarize, waitingLines } from './dead-letter-lines.ts';
import type { DeadLetter, DeadLetters } from './dead-letters.ts';
import { queueNames, type QueueName } from './topology.ts';

/** What a drop leaves to be done, by queue. */
const afterDrop: Readonly<Record<QueueName, string>> = {
  'search.index': 'The index stays behind for these members: run pnpm index repair afterwards.',
  'updates.live': 'Open sockets are not told; clients learn of it when they fetch again.',
  'updates.push': 'Devices are not told.',
  'profile.memberships': 'The records of these members do not show what they paid for.',
};

const lookedAt = 10_000;
const shown = 20;

/** The options of the command. */
interface Values {
  readonly queue?: string | undefined;
  readonly type?: string | undefined;
  readonly limit?: string | undefined;
  readonly all?: boolean | undefined;
  readonly payload?: boolean | undefined;
  readonly json?: boolean | undefined;
  readonly yes?: boolean | undefined;
}

/** What a person can mend, in one line. */
export class Refusal extends Error {
  /** The exit code: 1, or 64 where the command was wrongly called. */
  readonly code: number = 1;
}

class WrongCall extends Refusal {
  override readonly code = 64;
}

/** What an action works with. */
interface Call {
  readonly letters: DeadLetters;
  readonly ids: readonly string[];
  readonly values: Values;
  readonly names: readonly QueueName[];
  readonly print: (line: string) => void;
  /** Resolves with what was typed; undefined where nobody can be asked. */
  readonly ask: (question: string) => Promise<string | undefined>;
}

/** Resolves with the exit code; throws a Refusal, or the broker's error. */
type Action = (call: Call) => Promise<number>;

/** The queue of that name, or every one without a name; a Refusal where there is none. */
export function queuesNamed(queue: string | undefined): readonly QueueName[] {
  if (queue === undefined) return queueNames;
  const named = queueNames.filter((name) => name === queue);
  if (named.length) return named;
  throw new WrongCall(`There is no queue '${queue}': ${queueNames.join(', ')}.`);
}

const wanted =
  ({ ids, values: { type } }: Call) =>
  (letter: DeadLetter): boolean =>
    (!ids.length || ids.includes(letter.id)) && (type === undefined || letter.type === type);

/** The letters that are meant, at most as many of a queue; each stays where it is. */
async function find(call: Call, most: number): Promise<DeadLetter[]> {
  const found: DeadLetter[] = [];
  const fits = wanted(call);
  for (const name of call.names) {
    const note = (letter: DeadLetter) => {
      if (found.length < most && fits(letter)) found.push(letter);
      return 'keep' as const;
    };
    await call.letters.sift(name, note, call.ids.length || call.values.type !== undefined ? Infinity : most);
  }
  return found;
}

const list: Action = async ({ letters, names, values, print }) => {
  const counts = await letters.counts();
  const all = [];
  for (const name of names) {
    const seen: DeadLetter[] = [];
    const keep = (letter: DeadLetter) => (seen.push(letter), 'keep' as const);
    if (counts[name]) await letters.sift(name, keep, lookedAt);
    all.push(summarize(name, Math.max(counts[name], seen.length), seen));
  }
  if (values.json) print(JSON.stringify(all));
  else for (const line of all.flatMap((one) => waitingLines(one, new Date()))) print(line);
  return 0;
};

function limitOf({ values: { limit }, ids }: Call): number {
  if (limit === undefined) return ids.length ? Infinity : shown;
  if (/^[1-9]\d{0,5}$/.test(limit)) return Number(limit);
  throw new WrongCall('--limit is a number from 1 to 999999.');
}

const show: Action = async (call) => {
  const { values, print } = call;
  const views = (await find(call, limitOf(call))).map((letter) =>
    letterView(letter, values.payload ?? false),
  );
  if (values.json) print(JSON.stringify(views));
  else for (const line of views.flatMap(letterLines)) print(line);
  if (!views.length && !values.json) print('None of these wait.');
  if (views.length && !values.payload && !values.json)
    print('Their content may be about a person: --payload.');
  return views.length ? 0 : 1;
};

const tally = (letters: readonly DeadLetter[]): string =>
  [...Map.groupBy(letters, ({ queue }) => queue)]
    .map(([name, some]) => `${some.length} of ${name}`)
    .join(', ');

/** Asks once and then does with each letter that was meant at that moment as it is told; later ones stay. */
const settling =
  (verdict: 'replay' | 'drop'): Action =>
  async (call) => {
    const { letters, ids, values, print, ask } = call;
    if (!ids.length && !values.queue && !values.type && !values.all) {
      throw new WrongCall(`Say which: ids, --queue, --type or --all. pnpm events show names them.`);
    }
    const meant = await find(call, Infinity);
    const touched = [...new Set(meant.map(({ queue }) => queue))];
    if (verdict === 'drop' && touched.includes('profile.memberships') && !values.queue) {
      throw new Refusal(
        `Among them are letters of profile.memberships. ${afterDrop['profile.memberships']} To drop them, name the queue: --queue profile.memberships.`,
      );
    }
    if (meant.length && !values.yes) {
      const effects = verdict === 'drop' ? touched.map((name) => ` ${afterDrop[name]}`) : [];
      const answer = await ask(`${verdict} ${tally(meant)}?${effects.join('')} [y/N] `);
      if (answer === undefined) throw new Refusal('Nobody can be asked here, nothing was done: --yes.');
      if (!/^y(es)?$/i.test(answer.trim())) {
        print('Nothing was done.');
        return 1;
      }
    }
    const done: { queue: string; count: number }[] = [];
    for (const name of touched) {
      const keys = new Set(meant.filter(({ queue }) => queue === name).map(({ id }) => id));
      const { [verdict]: count } = await letters.sift(name, ({ id }) => (keys.has(id) ? verdict : 'keep'));
      done.push({ queue: name, count });
      if (!values.json) print(`${name}: ${count} ${verdict === 'drop' ? 'dropped' : 'replayed'}`);
    }
    if (values.json) print(JSON.stringify(done));
    else if (!meant.length) print('None of these wait.');
    const missing = ids.filter((id) => !meant.some((letter) => letter.id === id));
    if (missing.length && meant.length)
      throw new Refusal(`Not among the dead letters: ${missing.join(', ')}.`);
    return meant.length ? 0 : 1;
  };

/** What `pnpm events` does, by the action's name. */
export const actions: Readonly<Record<string, Action>> = {
  list,
  show,
  replay: settling('replay'),
  drop: settling('drop'),
};
