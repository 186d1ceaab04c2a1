import { describe, expect, it } from '@jest/globals';
import type { Member } from '../../../src/members/document/member.ts';
import { nextDigest } from '../../../src/members/notifications/digest-time.ts';

const hourMs = 3_600_000;
const timezone = 'America/New_York';
const member = (quiet_hours?: { from: string; to: string }) =>
  ({
    _id: 7,
    fields: { timezone },
    notifications: quiet_hours && { quiet_hours: { ...quiet_hours, timezone } },
  }) as unknown as Member;

describe('digests', () => {
  it.each([
    ['no quiet hours', undefined, '18:07'],
    ['quiet hours before', { from: '09:00', to: '17:00' }, '18:07'],
    ['quiet hours of the evening', { from: '17:00', to: '21:30' }, '21:30'],
    ['quiet hours until the morning', { from: '18:00', to: '06:00' }, '06:00'],
    ['quiet hours that end half a day later', { from: '18:00', to: '06:30' }, '06:30'],
    ['quiet hours that end late', { from: '17:00', to: '07:00' }, '07:00'],
  ])('come at one time of each period with %s', (_name, quiet, time) => {
    const format = new Intl.DateTimeFormat('en-GB', { timeZone: timezone, timeStyle: 'short' });
    const periods = { daily: 24, weekly: 168 } as const;
    for (const period of ['daily', 'weekly'] as const)
      for (let hour = 0; hour < 24; hour += 1) {
        const first = nextDigest(member(quiet), period, new Date(Date.UTC(2026, 5, 1, hour, 15)));
        const second = nextDigest(member(quiet), period, first);
        expect([format.format(first), (second.getTime() - first.getTime()) / hourMs]).toEqual([
          time,
          periods[period],
        ]);
      }
  });
});
