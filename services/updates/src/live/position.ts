/**
 * A place in a member's history: the epoch of the history and the number of the last message. Numbers have no gaps
 * within an epoch, so a missing one is noticed; a history that was lost begins a new epoch.
 */
export interface Position {
  readonly epoch: string;
  readonly number: number;
}

/** The id of a frame at a position (D41). */
export function frameId({ epoch, number }: Position): string {
  return `${epoch}-${number}`;
}

/** The position that a client's id names, or undefined where it names none. */
export function parseFrameId(id: string): Position | undefined {
  const [, epoch, number] = /^([0-9a-f]{16})-(\d{1,15})$/.exec(id) ?? [];
  return epoch && number ? { epoch, number: Number(number) } : undefined;
}
