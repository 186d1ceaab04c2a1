import { minuteMs } from '../time.ts';

/** There are a few hundred time zones, but a name may be spelled in many ways. */
const mostFormatters = 1_000;
/** Formatters by time zone: creating one costs more than using it. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known) return known;
  // Swedish texts have the form `2026-03-01 12:00:00`.
  const made = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  if (formatters.size < mostFormatters) formatters.set(timeZone, made);
  return made;
}

/** The date (YYYY-MM-DD) and the time (HH:MM:SS) of an instant in a time zone. */
export function localTime(instant: Date, timeZone: string): { readonly day: string; readonly time: string } {
  const [day = '', time = ''] = formatterOf(timeZone).format(instant).split(' ');
  return { day, time };
}

const dayMinutes = 24 * 60;

/** The minute of the day of a time of the form HH:MM. */
export const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/** Minutes from one minute of the day to the next occurrence of another, 1 to 1,440. */
const minutesUntil = (from: number, to: number): number =>
  (to - from + dayMinutes) % dayMinutes || dayMinutes;

const wholeMinute = (ms: number): number => Math.floor(ms / minuteMs) * minuteMs;

/** The offset of a time zone from UTC, ms; positive if its clock is ahead. */
function offsetOf(ms: number, timeZone: string): number {
  const { day, time } = localTime(new Date(ms), timeZone);
  return Date.parse(`${day}T${time}Z`) - Math.floor(ms / 1_000) * 1_000;
}

/** The first minute after `before` with another offset; `after` has it. */
function changeBetween(before: number, after: number, timeZone: string): number {
  const offset = offsetOf(after, timeZone);
  let [low, high] = [before, after];
  while (high - low > minuteMs) {
    const middle = wholeMinute((low + high) / 2);
    if (offsetOf(middle, timeZone) === offset) high = middle;
    else low = middle;
  }
  return high;
}

/**
 * The first instant after another at which the clock of a time zone passes a time (HH:MM): at a change of the clock that skips the
 * time, the instant of the change.
 */
export function nextLocalTime(after: Date, time: string, timeZone: string): Date {
  const start = wholeMinute(after.getTime());
  const minute = minuteOf(localTime(after, timeZone).time);
  const end = start + minutesUntil(minute, minuteOf(time)) * minuteMs;
  if (offsetOf(start, timeZone) === offsetOf(end, timeZone)) return new Date(end);
  const change = changeBetween(start, end, timeZone);
  const isSkipped = offsetOf(change, timeZone) > offsetOf(start, timeZone);
  const [before, now] = [change - minuteMs, change].map((ms) =>
    minuteOf(localTime(new Date(ms), timeZone).time),
  ) as [number, number];
  const passes = minutesUntil(before, minuteOf(time)) <= minutesUntil(before, now);
  if (isSkipped && passes) return new Date(change);
  return now === minuteOf(time) ? new Date(change) : nextLocalTime(new Date(change), time, timeZone);
}
