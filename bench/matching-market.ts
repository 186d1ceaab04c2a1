import { criterionByName } from '@covalence/contract/catalogue/criteria';
import { chanceOfPresence } from '@covalence/search/discover/chances';
import type { Participant } from '@covalence/search/discover/daily-matching/sample-pairs';
import type { Preferences } from '@covalence/search/discover/preferences';
import { candidateOf, type Candidate } from '@covalence/search/predicates/criterion-predicates';
import { randomOf, type Random } from '@covalence/seed/population/random';

/** The crowding of a market. */
export interface Crowding {
  readonly level: 'low' | 'medium' | 'high';
  /** The share of the variance of likes that all members have in common; the rest is their own taste. */
  readonly popularity: number;
  /** Members of the larger side for each of the smaller one. */
  readonly sides: number;
}

/** Levels by a rule: popularity explains a quarter, half and three quarters; the sides go from equal to 2 to 1. */
export const crowdings: readonly Crowding[] = [
  { level: 'low', popularity: 0.25, sides: 1 },
  { level: 'medium', popularity: 0.5, sides: 1.5 },
  { level: 'high', popularity: 0.75, sides: 2 },
];

/** Answers that tastes are about, and how many different ones each has. */
const fields = [
  'build',
  'smoking',
  'drinking',
  'education',
  'has_children',
  'want_children',
  'marital_status',
  'exercise',
] as const;
const choices = 4;

/** The answers that matter most to a member, of which half of the members state what they look for. */
const stated = { fields: 3, share: 0.5 };

/** All members are at one place. */
const here = { lat: 40.8, lon: -96.7 };

const today = new Date('2026-06-15T12:00:00Z');
const dayMs = 86_400_000;

/** The log-odds of a like vary about these: 12 % for the ordinary pair, more than 70 % for one in forty. */
const ordinary = -2;
const spread = 1.5;

/** The share of taste that follows from answers; the rest is chance, which nobody can estimate. */
const knowable = 0.8;

/** Median of the days since members were last seen. Their answer rates are uniform. */
const usualDays = 7;

/** A probability for each ordered pair. */
export type Likes = (viewer: number, shown: number) => number;

/** Members with tastes that only the evaluation knows. */
export interface PlantedMarket {
  readonly members: number;
  /** The members that a member can see: those of the other side. */
  readonly facing: (member: number) => readonly number[];
  /** The chance that a member is there, as the service estimates it, which is right. */
  readonly presence: Float64Array;
  readonly truth: Likes;
  /** The members as the daily matching reads them. Half of them state no match criteria. */
  readonly participants: readonly Participant[];
}

/** A member's wish for each answer of each field: normal, with a mean of 0 in each field. */
function wishesOf(random: Random): number[][] {
  return fields.map(() => {
    const drawn = Array.from({ length: choices }, () => random.normal(0, 1));
    const mean = drawn.reduce((sum, value) => sum + value, 0) / choices;
    return drawn.map((value) => (value - mean) / Math.sqrt(1 - 1 / choices));
  });
}

/** Match criteria for the answers that a member wishes for, in the fields that matter most to them. */
function preferencesFor(wishes: readonly (readonly number[])[], random: Random): Preferences {
  if (!random.chance(stated.share)) return { limits: [], wanted: [] };
  const importance = wishes.map((some) => some.reduce((sum, value) => sum + value ** 2, 0));
  const wanted = fields
    .map((field, at) => ({ field, wishes: wishes[at] ?? [], importance: importance[at] ?? 0 }))
    .toSorted((one, other) => other.importance - one.importance)
    .slice(0, stated.fields)
    .map(({ field, wishes: some }) => {
      const codes = new Set(codesOf(field).filter((_, choice) => (some[choice] ?? 0) > 0));
      const predicate = (one: Candidate) => one.values(field).some((code) => codes.has(code));
      return { field, weight: 1, predicate };
    });
  return { limits: [], wanted };
}

const codesOf = (field: string): string[] =>
  (criterionByName(field)?.codes ?? []).map(String).slice(0, choices);

const candidateWith = (id: number, answers: readonly number[]): Candidate =>
  candidateOf(
    {
      id,
      siteid: 1,
      group: '',
      world_plus: false,
      gender: 'Female',
      gender_preference: 'Male',
      date_of_birth: '1986-01-01',
      zodiac: 'Capricorn',
      joined: today.toISOString(),
      position: null,
      country: null,
      state: null,
      zip: null,
      keywords: [],
      traits: Object.fromEntries(fields.map((field, at) => [field, codesOf(field)[answers[at] ?? 0] ?? ''])),
    },
    today,
  );

/** Plants a market. The same seed gives the same one. */
export function plantMarket(seed: number, { popularity, sides }: Crowding, members = 1_000): PlantedMarket {
  const random = randomOf(seed, 'market');
  const each = <Value>(make: (member: number) => Value) =>
    Array.from({ length: members }, (_, member) => make(member));
  const appeal = each(() => random.normal(0, 1));
  const answers = each(() => fields.map(() => random.integer(0, choices - 1)));
  const wishes = each(() => wishesOf(random));
  const presence = Float64Array.from(
    each(() => {
      const days = -usualDays * Math.log2(1 - random.real());
      const last_seen = new Date(today.getTime() - days * dayMs).toISOString();
      return chanceOfPresence({ last_seen, answer_rate: random.real() }, today);
    }),
  );
  const all = each((member) => member);
  const border = Math.round(members / (1 + sides));
  const [few, many] = [all.slice(0, border), all.slice(border)];
  const facing = (member: number) => (member < border ? many : few);
  const own = 1 - popularity;
  const table = new Float64Array(members * members);
  for (const viewer of all) {
    for (const shown of facing(viewer)) {
      const fit = fields.reduce(
        (sum, _, at) => sum + (wishes[viewer]?.[at]?.[answers[shown]?.[at] ?? 0] ?? 0),
        0,
      );
      const taste = Math.sqrt((own * knowable) / fields.length) * fit;
      const chance = Math.sqrt(own * (1 - knowable)) * random.normal(0, 1);
      const odds = ordinary + spread * (Math.sqrt(popularity) * (appeal[shown] ?? 0) + taste + chance);
      table[viewer * members + shown] = 1 / (1 + Math.exp(-odds));
    }
  }
  return {
    members,
    facing,
    presence,
    truth: (viewer, shown) => table[viewer * members + shown] ?? 0,
    participants: each((id) => {
      const [audience = '', seeks = ''] = id < border ? ['few', 'many'] : ['many', 'few'];
      const candidate = candidateWith(id, answers[id] ?? []);
      const preferences = preferencesFor(wishes[id] ?? [], random);
      return { id, audience, seeks, position: here, candidate, preferences, presence: presence[id] ?? 0 };
    }),
  };
}
