import { criteria } from '@covalence/contract/catalogue/criteria';
import { fieldByName } from '@covalence/contract/catalogue/fields';
import { neutralAnswerRate, type SearchProjection } from '@covalence/contract/search-projection';

/** The current time in these tests. */
export const testNow = new Date('2026-06-15T12:00:00Z');

const dayMs = 86_400_000;

/** Pseudorandom numbers from 0 to below 1 (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Cities around Lincoln, Nebraska, and far from it: position, postal code, state, country. */
const cities = [
  [40.81, -96.7, '68508', 'Nebraska', 'US'],
  [41.26, -95.94, '68102', 'Nebraska', 'US'],
  [41.59, -93.62, '50309', 'Iowa', 'US'],
  [39.1, -94.58, '64105', 'Missouri', 'US'],
  [39.74, -104.99, '80202', 'Colorado', 'US'],
  [40.71, -74.01, '10007', 'New York', 'US'],
  [52.52, 13.4, '10198', 'Berlin', 'DE'],
] as const;

/** Words that no typo turns into another one. */
const words = ['sailing', 'mountains', 'cinema', 'gardening', 'philosophy', 'jazz', 'bakery', 'quilting'];

type Traits = SearchProjection['traits'];

const pick = <T>(random: () => number, from: readonly T[]): T => {
  const picked = from[Math.floor(random() * from.length)];
  if (picked === undefined) throw new Error('nothing to pick from');
  return picked;
};

function traitOf(name: string, random: () => number): Traits[string] | undefined {
  const field = fieldByName(name);
  if (!field || random() < 0.2) return undefined;
  if (field.kind === 'integer') return 150 + Math.floor(random() * 50);
  if (field.kind === 'text') return `${pick(random, words)} ${pick(random, words)}`;
  const codes = field.values?.map(({ code }) => code) ?? [];
  if (field.kind !== 'choices') return pick(random, codes);
  return [...new Set([pick(random, codes), pick(random, codes)])];
}

const traitNames = criteria.flatMap(({ field, name }) =>
  field && field === name && !['state', 'country', 'online'].includes(name) ? [name] : [],
);

function traitsOf(random: () => number): Traits {
  const entries = traitNames.map((name) => [name, traitOf(name, random)] as const);
  const present = entries.filter((entry): entry is [string, Traits[string]] => entry[1] !== undefined);
  return { ...Object.fromEntries(present), about_me: `I like ${pick(random, words)}` };
}

const ago = (days: number) => new Date(testNow.getTime() - Math.round(days * dayMs)).toISOString();

const snap = (degrees: number) => Math.round(degrees * 100) / 100;

/** One member of the tests' population, the same for the same id. */
export function member(id: number, facts: Partial<SearchProjection> = {}): SearchProjection {
  const random = randomOf(id * 7919);
  const male = random() < 0.5;
  const [lat, lon, zip, state, country] = pick(random, cities);
  const siteid = pick(random, [1, 1, 1, 2, 3]);
  return {
    id,
    version: 1_000 + id,
    visible: random() < 0.95,
    deleted: false,
    siteid,
    group: siteid === 3 ? 'agora' : 'heartland',
    world_plus: random() < 0.7,
    gender: male ? 'Male' : 'Female',
    gender_preference: random() < 0.9 === male ? 'Female' : 'Male',
    date_of_birth: ago(365.25 * (18 + random() * 40)).slice(0, 10),
    position: random() < 0.9 ? { lat: snap(lat + random() * 0.3), lon: snap(lon + random() * 0.3) } : null,
    country,
    state,
    zip,
    photo: random() < 0.7,
    joined: ago(random() * 400),
    last_seen: random() < 0.9 ? ago(random() < 0.2 ? random() * 0.02 : random() * 60) : null,
    offline: random() < 0.1,
    platinum_until:
      random() < 0.4
        ? new Date(
            testNow.getTime() + Math.ceil(random() * 5) * dayMs + Math.round(random() * 3) * 3_600_000,
          ).toISOString()
        : null,
    answer_rate: neutralAnswerRate,
    traits: traitsOf(random),
    ...facts,
  };
}

/** Members 1 to `size`. */
export const population = (size: number): SearchProjection[] =>
  Array.from({ length: size }, (_, index) => member(index + 1));
