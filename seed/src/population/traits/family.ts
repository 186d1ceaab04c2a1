import type { Key } from './codes.ts';
import type { Family, Identity } from './person.ts';
import type { Random } from '../random.ts';

/** Marital status by age: up to the age, the weights. */
const marital: readonly (readonly [number, Readonly<Record<Key<'marital_status'>, number>>])[] = [
  [25, { single: 97, separated: 1, divorced: 2, widowed: 0 }],
  [34, { single: 80, separated: 5, divorced: 14, widowed: 1 }],
  [44, { single: 48, separated: 8, divorced: 42, widowed: 2 }],
  [54, { single: 27, separated: 8, divorced: 58, widowed: 7 }],
  [64, { single: 17, separated: 6, divorced: 61, widowed: 16 }],
  [200, { single: 10, separated: 3, divorced: 47, widowed: 40 }],
];

/** Draws marriages and children: marriages by age, children by age and marriage, the wish for more by all of it. */
export function drawFamily(random: Random, who: Identity): Family {
  const status = random.weighted(marital.find(([until]) => who.age <= until)?.[1] ?? { single: 1 });
  const children = drawChildren(random, who.age, status);
  return {
    marital: status,
    children,
    hasChildren: whereChildrenLive(random, who, children),
    wantChildren: drawWish(random, who, children.length),
  };
}

function drawChildren(random: Random, age: number, status: Family['marital']): readonly number[] {
  if (age < 21) return [];
  const single = age < 25 ? 0.04 : age < 35 ? 0.13 : 0.24;
  const been = age < 30 ? 0.45 : 0.76;
  if (!random.chance(status === 'single' ? single : been)) return [];
  const parent = Math.min(age - 1, Math.max(19, Math.round(random.normal(age < 35 ? 24 : 28, 4))));
  const oldest = Math.max(0, age - parent);
  const count = Number(random.weighted({ 1: 38, 2: 42, 3: 15, 4: 5 }));
  const ages = Array.from({ length: count }, (_, at) => oldest - at * random.integer(2, 4));
  return ages.filter((childAge) => childAge >= 0);
}

function whereChildrenLive(random: Random, who: Identity, ages: readonly number[]): Family['hasChildren'] {
  const youngest = ages.at(-1);
  if (youngest === undefined) return 'no';
  if (youngest >= 21) return random.chance(0.9) ? 'yes_away_from_home' : 'yes_at_home';
  const shared = who.gender === 'Male' ? 0.55 : 0.2;
  if (random.chance(shared)) return 'yes_sometimes_at_home';
  return random.chance(who.gender === 'Male' ? 0.3 : 0.04) ? 'yes_away_from_home' : 'yes_at_home';
}

function drawWish(random: Random, { age, gender }: Identity, children: number): Family['wantChildren'] {
  const lateAt = gender === 'Female' ? 42 : 48;
  if (age > lateAt + 6) return random.chance(0.9) ? 'no' : 'probably_not';
  if (age > lateAt) return random.weighted({ no: 60, probably_not: 28, not_sure: 9, probably: 3 });
  if (children >= 2) return random.weighted({ no: 42, probably_not: 26, not_sure: 19, probably: 8, yes: 5 });
  if (children === 1)
    return random.weighted({ no: 18, probably_not: 18, not_sure: 24, probably: 22, yes: 18 });
  return random.weighted({ no: 12, probably_not: 10, not_sure: 21, probably: 24, yes: age < 38 ? 33 : 18 });
}
