import { z } from 'zod';

/** One page of a list, newest first, and the cursor of the next; null at the end. */
export interface Page<Entry> {
  readonly entries: readonly Entry[];
  readonly next: string | null;
}

/** Cuts a page from up to `size + 1` entries that were read for it. */
export function pageOf<Entry>(
  read: readonly Entry[],
  size: number,
  cursorOf: (entry: Entry) => string,
): Page<Entry> {
  const entries = read.slice(0, size);
  const last = entries.at(-1);
  return { entries, next: last && read.length > size ? cursorOf(last) : null };
}

/** A place in a list that is ordered by time, then by key. */
export interface Moment {
  readonly at: Date;
  readonly key: string;
}

/** A place in a timed list as clients carry it. */
export function momentCursor({ at, key }: Moment): string {
  return `${at.getTime()}.${key}`;
}

/** The `cursor` parameter of a timed list; one that none was given out as is 403 without code. */
export const momentParameter = z
  .string()
  .regex(/^\d{1,15}\.\d{1,16}:\d{1,16}$/)
  .transform((text): Moment => {
    const [time = '', key = ''] = text.split('.');
    return { at: new Date(Number(time)), key };
  })
  .optional();

/** The filter of what comes after a place in a list that is sorted by `field`, then `_id`, both descending. */
export function afterMoment(field: string, after: Moment | undefined): object {
  if (!after) return { [field]: { $gt: new Date(0) } };
  return {
    [field]: { $gt: new Date(0), $lte: after.at },
    $or: [{ [field]: { $lt: after.at } }, { [field]: after.at, _id: { $lt: after.key } }],
  };
}
