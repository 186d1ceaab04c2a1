import type { MessagePropertyHeaders } from 'amqplib';
import { z } from 'zod';

/** Why and when a message died. */
export interface DeadLetterNote {
  /** To the second at least; undefined where the broker does not say. */
  readonly died: Date | undefined;
  /** 'rejected': the consumer gave up. 'delivery_limit': a process ended on it again and again. */
  readonly reason: string;
  /** What the consumer met the last time, where it was one. */
  readonly error: string | undefined;
  /** How often the consumer tried, where it says so. */
  readonly tries: number | undefined;
}

const noteHeader = 'covalence-death';
const replaysHeader = 'covalence-replays';
const longestError = 300;

const noteSchema = z.object({ at: z.iso.datetime(), error: z.string(), tries: z.int() });

/** What RabbitMQ notes on a message that it gave to the dead letters itself; the newest death comes first. */
const brokerNotesSchema = z
  .array(
    z.object({
      reason: z.string(),
      'routing-keys': z.array(z.string()),
      time: z.object({ value: z.number() }),
    }),
  )
  .min(1);

const textOf = (error: unknown): string =>
  (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, longestError);

/** The headers of a message that its consumer gives up now: those it came with, and the note. */
export const deadLetterHeaders = (
  headers: MessagePropertyHeaders | undefined,
  { error, tries }: { readonly error: unknown; readonly tries: number },
): MessagePropertyHeaders => ({
  ...(headers?.[replaysHeader] !== undefined && { [replaysHeader]: headers[replaysHeader] as unknown }),
  [noteHeader]: { at: new Date().toISOString(), error: textOf(error), tries },
});

/** How often a message came back from the dead letters. */
export const replaysOf = (headers: MessagePropertyHeaders | undefined): number =>
  z.int().safeParse(headers?.[replaysHeader]).data ?? 0;

/** The headers of a message that is sent back to its queue. */
export const replayHeaders = (headers: MessagePropertyHeaders | undefined): MessagePropertyHeaders => ({
  [replaysHeader]: replaysOf(headers) + 1,
});

/** What the headers of a dead message tell: the consumer's note, or where it made none the broker's. */
export function deadLetterNote(headers: MessagePropertyHeaders | undefined): DeadLetterNote {
  const note = noteSchema.safeParse(headers?.[noteHeader]).data;
  if (note) return { died: new Date(note.at), reason: 'rejected', error: note.error, tries: note.tries };
  const [newest] = brokerNotesSchema.safeParse(headers?.['x-death']).data ?? [];
  return {
    died: newest && new Date(newest.time.value * 1_000),
    reason: newest?.reason ?? 'unknown',
    error: undefined,
    tries: undefined,
  };
}

/** The routing key that a message was published with, which the broker notes with its first death. */
export const publishedAs = (headers: MessagePropertyHeaders | undefined): string =>
  brokerNotesSchema.safeParse(headers?.['x-death']).data?.at(-1)?.['routing-keys'][0] ?? '';
