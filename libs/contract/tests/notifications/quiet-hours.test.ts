import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { isQuiet, quietUntil } from '../../src/notifications/quiet-hours.ts';

const minuteMs = 60_000;
/** With changes of the clock by an hour and half an hour, at midnight, on both hemispheres, and none. */
const timezones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/St_Johns',
  'America/Santiago',
  'Australia/Lord_Howe',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Asia/Kathmandu',
  'Pacific/Auckland',
  'Pacific/Chatham',
];

const clock = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
const time = fc.integer({ min: 0, max: 1_439 }).map(clock);
const hours = fc
  .record({ from: time, to: time, timezone: fc.constantFrom(...timezones) })
  .filter(({ from, to }) => from !== to);

/** The clock as Intl shows it, independent of the code under test. */
const wallClock = (instant: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(
    instant,
  );

/** Hours around the changes of the clocks, and any other time. */
const changes = ['2026-03-08', '2026-03-29', '2026-04-05', '2026-09-06', '2026-10-04', '2026-10-25'].map(
  (day) => Date.parse(`${day}T00:00:00Z`),
);
const instant = fc
  .oneof(
    fc
      .tuple(fc.constantFrom(...changes), fc.integer({ min: -48 * 3_600_000, max: 48 * 3_600_000 }))
      .map(([at, away]) => at + away),
    fc.integer({ min: Date.parse('2024-01-01T00:00:00Z'), max: Date.parse('2034-01-01T00:00:00Z') }),
  )
  .map((ms) => new Date(ms));

describe('quiet hours', () => {
  it('are those between two times of the wall clock, and end in the first minute that is not quiet', () => {
    fc.assert(
      fc.property(hours, instant, (quiet, now) => {
        const shown = wallClock(now, quiet.timezone);
        const isBetween =
          quiet.from < quiet.to
            ? shown >= quiet.from && shown < quiet.to
            : shown >= quiet.from || shown < quiet.to;
        expect(isQuiet(quiet, now)).toBe(isBetween);
        const end = quietUntil(quiet, now);
        expect(end !== undefined).toBe(isBetween);
        if (!end) return;
        let minute = Math.floor(now.getTime() / minuteMs) * minuteMs;
        while (isQuiet(quiet, new Date(minute))) minute += minuteMs;
        expect(end.toISOString()).toBe(new Date(minute).toISOString());
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['an hour earlier when the clock goes forward', '2026-03-28T22:30:00Z', '2026-03-29T05:00:00Z'],
    ['an hour later when it goes back', '2026-10-24T21:30:00Z', '2026-10-25T06:00:00Z'],
  ])('end by the clock, %s', (_case, now, end) => {
    const berlin = { from: '22:00', to: '07:00', timezone: 'Europe/Berlin' };
    expect(quietUntil(berlin, new Date(now))?.toISOString()).toBe(new Date(end).toISOString());
  });

  it('end with the change of the clock that skips their end', () => {
    const berlin = { from: '22:00', to: '02:30', timezone: 'Europe/Berlin' };
    expect(quietUntil(berlin, new Date('2026-03-29T00:10:00Z'))).toEqual(new Date('2026-03-29T01:00:00Z'));
  });
});
