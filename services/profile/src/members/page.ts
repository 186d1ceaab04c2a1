import { documented } from '@covalence/contract/parameters';
import { z } from 'zod';
import { behindCursor, type TimeCursor } from './store/time-cursor.ts';

/** Cuts a page from up to `size + 1` entries that were read for it; `next` is the cursor of the next page, null at the end. */
export function pageOf<Entry>(read: readonly Entry[], size: number, cursorOf: (entry: Entry) => string) {
  const entries = read.slice(0, size);
  const last = entries.at(-1);
  return { entries, next: last && read.length > size ? cursorOf(last) : null };
}

/** A cursor as clients send it back. */
export function encodeCursor({ at, key, first }: TimeCursor<string | number>): string {
  return `${at.getTime()}.${key}${first ? '.first' : ''}`;
}

/** The `cursor` parameter of a list that is sorted by time. */
export const timeCursorParameter = z
  .string()
  .regex(/^\d{1,15}\.\d{1,16}(:\d{1,16})?(\.first)?$/)
  .transform((text): TimeCursor => {
    const [time = '', key = '', first] = text.split('.');
    return { at: new Date(Number(time)), key, first: first !== undefined };
  })
  .optional()
  .meta(documented.cursor);

/** Filter of a page that is read newest first; entries without a time are left out. */
export function newestFirst(field: string, after: TimeCursor | undefined): object {
  if (!after) return { [field]: { $gt: new Date(0) } };
  return { [field]: { $gt: new Date(0), $lte: after.at }, ...behindCursor(field, after, '$lt') };
}
