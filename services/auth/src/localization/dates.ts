import type { Presentation } from './presentation.ts';

type Language = Pick<Presentation, 'language'>;

/** A day as a page shows it. */
export const dayIn = ({ language }: Language, date: Date): string =>
  date.toLocaleDateString(language, { dateStyle: 'medium', timeZone: 'UTC' });

/** A day in the locale of a mail. */
export const longDayIn = (locale: string, time: string): string =>
  new Date(time).toLocaleDateString(locale.replace('_', '-'), { dateStyle: 'long', timeZone: 'UTC' });

/** A time of a day as a page shows it. */
export const timeIn = ({ language }: Language, date: Date): string =>
  date.toLocaleString(language, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: 'UTC',
    timeZoneName: 'short',
  });

/** A time as a mail or page names it. */
export const longTimeIn = ({ language }: Language, date: Date): string =>
  date.toLocaleString(language, { dateStyle: 'long', timeStyle: 'long', timeZone: 'UTC' });
