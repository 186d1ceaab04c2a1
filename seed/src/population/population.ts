import { drawUsername } from './account.ts';
import { createPerson } from './create-person.ts';
import { demoMembers, demoMembership } from './demo-members.ts';
import { fieldsOf, type Fields } from './fields.ts';
import { drawMembership, type Membership } from './membership.ts';
import { drawPortraitOptions, type Portrait } from './portrait.ts';
import { randomOf } from './random.ts';
import { drawPreferences, type Preferences } from './traits/preferences.ts';
import { createDesk, writeTexts, type Desk } from './texts/write-texts.ts';

export { drawPortrait, renderPortrait } from './portrait.ts';

/** A generated member: account, profile, portrait and preferences. */
export interface SeedMember extends Membership {
  /** The same for the same seed and place in the population: `seed-<seed>-<index>`. */
  readonly external_id: string;
  /** Letters and digits; unique without regard to case, and never part of `fields`. */
  readonly username: string;
  /** An address of a reserved domain, unique; never part of `fields`. */
  readonly email: string;
  /** Catalogue names with stored values: codes for choices, lists of codes, `YYYY-MM-DD`. */
  readonly fields: Fields;
  /** Options of the portrait; one in eight members has none. */
  readonly portrait?: Portrait;
  readonly preferences: Preferences;
}

/** Options of a population. */
export interface PopulationOptions {
  readonly count: number;
  readonly seed: number;
  /** The time from which ages and dates are computed. */
  readonly now: Date;
}

/** One in eight members has no photo. */
const withPhoto = 7 / 8;

const domains = ['example.com', 'example.org', 'example.net'] as const;

interface Town extends Desk {
  /** Usernames in lower case. */
  readonly taken: Set<string>;
}

/**
 * Generates members, deterministic for seed and `now`; a larger count only adds members at the end. The first two are
 * Anna and Ben of demo-members.ts.
 */
export function* generatePopulation({ count, seed, now }: PopulationOptions): Generator<SeedMember> {
  const town: Town = { ...createDesk(), taken: new Set(demoMembers.map(({ username }) => username)) };
  for (let index = 0; index < count; index += 1) yield createMember(seed, index, now, town);
}

function createMember(seed: number, index: number, now: Date, town: Town): SeedMember {
  const stream = (topic: string) => randomOf(seed, index, topic);
  const demo = demoMembers[index];
  const person = createPerson(seed, index, now, demo?.person);
  const preferences = { ...drawPreferences(stream('preferences'), person), ...demo?.preferences };
  const texts = {
    ...writeTexts(seed, index, person, { agefrom: preferences.age.from }, town),
    ...demo?.texts,
  };
  const username = demo?.username ?? drawUsername(stream('username'), person, town.taken);
  const photo = stream('photo');
  return {
    external_id: `seed-${seed}-${index}`,
    username,
    email: `${username.toLowerCase()}@${stream('email').pick(domains)}`,
    ...(demo ? demoMembership(now) : drawMembership(stream('membership'), person, now)),
    fields: fieldsOf(stream('fields'), person, preferences, texts),
    ...((demo !== undefined || photo.chance(withPhoto)) && { portrait: drawPortraitOptions(photo, person) }),
    preferences,
  };
}
