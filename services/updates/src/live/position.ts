import { randomUUID } from 'node:crypto';

/**
 * A place in a member's history: the epoch of the history, the number of the last message, and that message's tag, which
 * follows from its event and from the tag before it. Numbers have no gaps within an epoch, so a missing one is noticed; a
 * history that was lost begins a new epoch; and where a store came back without its last messages, the number has another tag
 * unless all messages up to it are the same.
 */
export interface Position {
  readonly epoch: string;
  readonly number: number;
  readonly tag: string;
}

/** The tag of the place before the first message. */
export const firstTag = '00000000';

/** The tag of a frame that has no place in the history. */
export function freshTag(): string {
  return randomUUID().slice(-8);
}

/** Whether a place is not the one that is known, nor one before it. */
export function isBeyond(at: Position, known: Position): boolean {
  if (at.epoch !== known.epoch || at.number > known.number) return true;
  return at.number === known.number && at.tag !== known.tag;
}

/** The id of a frame at a position. */
export function frameId({ epoch, number, tag }: Position): string {
  return `${epoch}-${number}-${tag}`;
}

/** The id of a frame that has no place in the history, told after one that has: a resume after it is one after that. */
export function ephemeralId(at: Position, tag: string): string {
  return `${frameId(at)}-${tag}`;
}

/** The bytes of a frame from its id and the JSON object without it, encoded once for every socket. */
export function frameOf(id: string, payload: string): Buffer {
  return Buffer.from(`{"id":"${id}",${payload.slice(1)}`);
}

/** The position that a client's id names, or undefined where it names none. */
export function parseFrameId(id: string): Position | undefined {
  const [, epoch, number, tag] = /^([0-9a-f]{16})-(\d{1,15})-([0-9a-f]{8})(?:-[0-9a-f]{8})?$/.exec(id) ?? [];
  return epoch && number && tag ? { epoch, number: Number(number), tag } : undefined;
}
