import { isMap } from '@covalence/contract/is-map';
import { jsonText } from '@covalence/runtime/json-text';
import { oneLine } from '@covalence/runtime/one-line';
import { z } from 'zod';
import type { DeadLetter } from './queue.ts';

/** The dead letters of one queue. */
export interface Waiting {
  readonly queue: string;
  readonly waiting: number;
  /** The number of oldest letters that were read. */
  readonly looked: number;
  /** When the oldest was rejected. */
  readonly oldest: string | null;
  /** Types and reasons, most frequent first. */
  readonly kinds: readonly {
    readonly type: string;
    readonly reason: string;
    readonly error: string | null;
    readonly count: number;
  }[];
}

const spans = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
] as const;

const ageOf = (since: Date, now: Date): string => {
  const seconds = Math.max(0, Math.round((now.getTime() - since.getTime()) / 1_000));
  const [unit, size] = spans.find(([, least]) => seconds >= least) ?? ['s', 1];
  return `${Math.floor(seconds / size)} ${unit}`;
};

/** An error up to the first value that it quotes, without addresses and long numbers: these may be personal. */
const withoutValues = (error: string | undefined): string | null =>
  error?.replace(/(?:["`“[]|(?<!\w)')[^]*$/, '“…”').replaceAll(/[^\s“]+@\S+|\d{7,}/g, '…') ?? null;

/** Counts dead letters by type and reason. */
export function summarize(queue: string, waiting: number, letters: readonly DeadLetter[]): Waiting {
  const kinds = Map.groupBy(letters, ({ type, reason, error }) =>
    JSON.stringify([type, reason, withoutValues(error)]),
  );
  const times = letters.flatMap(({ died }) => died ?? []).map((died) => died.getTime());
  return {
    queue,
    waiting,
    looked: letters.length,
    oldest: times.length ? new Date(Math.min(...times)).toISOString() : null,
    kinds: [...kinds.values()]
      .flatMap(([one, ...others]) =>
        one
          ? [
              {
                type: one.type,
                reason: one.reason,
                error: withoutValues(one.error),
                count: others.length + 1,
              },
            ]
          : [],
      )
      .toSorted((one, other) => other.count - one.count),
  };
}

/** The lines of `list` for a queue. */
export function waitingLines({ queue, waiting, looked, oldest, kinds }: Waiting, now: Date): string[] {
  if (!waiting) return [`${queue}: none`];
  const since = oldest === null ? '' : `, the oldest for ${ageOf(new Date(oldest), now)} (since ${oldest})`;
  const part = looked < waiting ? `; of the oldest ${looked}:` : '';
  return [
    `${queue}: ${waiting}${since}${part}`,
    ...kinds.map(
      ({ type, reason, error, count }) =>
        `  ${count} ${oneLine(type) || 'of no type'}, ${oneLine(reason)}${error === null ? '' : `: ${oneLine(error)}`}`,
    ),
  ];
}

/** The keys and types of a value, without the values. */
function shapeOf(value: unknown, depth = 3): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `array of ${value.length}`;
  if (!isMap(value)) return typeof value;
  if (depth === 0) return 'object';
  const entries = Object.entries(value).map(([name, one]) => `${oneLine(name)}: ${shapeOf(one, depth - 1)}`);
  return `{ ${entries.join(', ')} }`;
}

/** A dead letter to show. Content may be personal: without `payload` only keys and types are shown. */
export function describeDeadLetter(letter: DeadLetter, payload: boolean) {
  const { queue, id, type, died, reason, error, tries, replays, content } = letter;
  const event = jsonText.safeParse(content).data;
  const field = (name: string) => (isMap(event) ? event[name] : undefined);
  const member = field('member');
  const request = field('request_id');
  return {
    queue,
    id,
    type,
    died: died?.toISOString() ?? null,
    reason,
    error: payload ? (error ?? null) : withoutValues(error),
    tries: tries ?? null,
    replays,
    sent: z.iso.datetime().safeParse(field('at')).data ?? null,
    member: typeof member === 'number' ? member : null,
    request_id: typeof request === 'string' ? request : null,
    shape: event === undefined ? `no JSON, ${content.length} characters` : shapeOf(event),
    ...(payload && { payload: event ?? content }),
  };
}

/** The lines of `show` for a dead letter. */
export function letterLines(view: ReturnType<typeof describeDeadLetter>): string[] {
  const { queue, id, type, payload, ...rest } = view;
  const facts = Object.entries(rest).filter(([, value]) => value !== null && value !== 0);
  return [
    `${oneLine(id)}  ${oneLine(type)}  ${queue}`,
    ...facts.map(([name, value]) => `  ${name.padEnd(10)}  ${oneLine(value)}`),
    ...(payload === undefined ? [] : [`  payload     ${JSON.stringify(payload)}`]),
  ];
}
