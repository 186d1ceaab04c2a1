import { randomUUID } from 'node:crypto';

/**
 * A position in a member's history: the epoch of the history, the number of the last message, and its tag, a hash of its event
 * and the tag before. Numbers have no gaps, so a missing message is noticed. A lost history begins a new epoch. If Redis loses
 * its last messages, the same number gets another tag.
 */
export interface Position {
  readonly epoch: string;
  readonly number: number;
  readonly tag: string;
}

/** The tag of the position before the first message. */
export const firstTag = '00000000';

/** The tag of a frame that is not in the history. */
export function freshTag(): string {
  return randomUUID().slice(-8);
}

/** Whether a position is neither `known` nor before it. */
export function isBeyond(at: Position, known: Position): boolean {
  if (at.epoch !== known.epoch || at.number > known.number) return true;
  return at.number === known.number && at.tag !== known.tag;
}

/** The id of a frame at a position. */
export function frameId({ epoch, number, tag }: Position): string {
  return `${epoch}-${number}-${tag}`;
}

/** The id of a frame that is not in the history: a resume after it is a resume after `at`. */
export function ephemeralId(at: Position, tag: string): string {
  return `${frameId(at)}-${tag}`;
}

/** The bytes of a frame from its id and the JSON object without it, encoded once for every socket. */
export function frameOf(id: string, payload: string): Buffer {
  return Buffer.from(`{"id":"${id}",${payload.slice(1)}`);
}

/** Parses the position in a client's id; undefined if the id is invalid. */
export function parseFrameId(id: string): Position | undefined {
  const [, epoch, number, tag] = /^([0-9a-f]{16})-(\d{1,15})-([0-9a-f]{8})(?:-[0-9a-f]{8})?$/.exec(id) ?? [];
  return epoch && number && tag ? { epoch, number: Number(number), tag } : undefined;
}
