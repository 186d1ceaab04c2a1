import { localTime, minuteOf, nextLocalTime } from './local-time.ts';

/** The hours of a day in which a member wants no push messages, by the clock of a time zone. They may include midnight. */
export interface QuietHours {
  /** HH:MM. */
  readonly from: string;
  /** HH:MM, the first minute that is not quiet. */
  readonly to: string;
  /** IANA time zone. */
  readonly timezone: string;
}

/** Whether an instant is in the quiet hours. */
export function isQuiet({ from, to, timezone }: QuietHours, instant: Date): boolean {
  const minute = minuteOf(localTime(instant, timezone).time);
  const [begin, end] = [minuteOf(from), minuteOf(to)];
  return begin < end ? minute >= begin && minute < end : minute >= begin || minute < end;
}

/** When the quiet hours of an instant end; undefined outside of them. Follows changes of the clock. */
export function quietUntil(hours: QuietHours, instant: Date): Date | undefined {
  if (!isQuiet(hours, instant)) return undefined;
  const end = nextLocalTime(instant, hours.to, hours.timezone);
  // A change of the clock can skip all that is not quiet.
  return quietUntil(hours, end) ?? end;
}
