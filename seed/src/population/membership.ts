import type { UserStatus, worldPlusChoices } from '@covalence/contract/record';
import { minuteMs, hourMs, dayMs } from '@covalence/contract/time';
import type { Person } from './traits/person.ts';
import type { Random } from './random.ts';

/** The account of a member. Times are ISO 8601 in UTC. */
export interface Membership {
  readonly siteid: number;
  readonly userstatus: UserStatus;
  readonly searchable: boolean;
  /** False for a member who hides as offline. */
  readonly online: boolean;
  readonly world_plus: (typeof worldPlusChoices)[number];
  readonly platinum_until?: string;
  readonly joined: string;
  readonly last_seen: string;
}

/** The weights of sites by country. The third one, outside the group, has more members from abroad. */
const sites = {
  home: { 1: 68, 2: 24, 3: 8 },
  abroad: { 1: 41, 2: 27, 3: 32 },
} as const;

/** Draws the account of a member at `now`. Only sites with manual review have new and rejected members. */
export function drawMembership(random: Random, person: Person, now: Date): Membership {
  const siteid = Number(random.weighted(person.home.city.country === 'US' ? sites.home : sites.abroad));
  const userstatus = random.weighted(
    siteid === 2 ? { new: 15, approved: 81, rejected: 4 } : { approved: 987, rejected: 13 },
  );
  const joined = drawJoined(random, now, userstatus);
  const platinum = userstatus === 'approved' && random.chance(Math.min(0.3, 0.09 + person.bracket * 0.031));
  return {
    siteid,
    userstatus,
    searchable: !random.chance(0.03),
    online: !random.chance(0.05),
    world_plus: random.weighted({ opted_in: 42, opted_out: 18, undecided: 40 }),
    ...(platinum && { platinum_until: iso(now.getTime() + random.integer(60, 360 * 24 * 60) * minuteMs) }),
    joined: iso(joined),
    last_seen: iso(drawLastSeen(random, now, joined, platinum)),
  };
}

const iso = (time: number) => new Date(time).toISOString();

/** Joined in the last three years, more of them recently; unreviewed members in the last days. */
function drawJoined(random: Random, now: Date, userstatus: Membership['userstatus']): number {
  const longest = userstatus === 'new' ? 4 * dayMs : 3 * 365 * dayMs;
  return now.getTime() - Math.floor(30 * minuteMs + random.real() ** 1.4 * longest);
}

/** One in thirty is online, a third was active today; older accounts are less active. */
function drawLastSeen(random: Random, now: Date, joined: number, platinum: boolean): number {
  const when = random.weighted({
    now: 4,
    today: 30 + (platinum ? 15 : 0),
    week: 32,
    month: 20,
    longer: 14 * (platinum ? 0.3 : 1),
  });
  const ago = {
    now: () => random.integer(0, 4) * minuteMs,
    today: () => random.integer(6, 24 * 60) * minuteMs,
    week: () => random.integer(24 * 60, 7 * 24 * 60) * minuteMs,
    month: () => random.integer(7 * 24, 30 * 24) * hourMs,
    longer: () => random.integer(30, 400) * dayMs,
  }[when]();
  return Math.max(joined, now.getTime() - ago);
}
