import { codeOf, type CodedField } from './codes.ts';
import type { Gender } from '@covalence/contract/record';
import type { Person } from './person.ts';
import type { Random } from '../random.ts';

/** A wish in the form of a search criterion: one of the codes, or a range. */
export type Wish = { readonly values: readonly number[] } | { readonly from: number; readonly to: number };

/** A member's true preferences; judgments of the quality of a match can be derived from them. */
export interface Preferences {
  readonly gender: Gender;
  readonly age: { readonly from: number; readonly to: number };
  /** Miles, one of the values that 31006 allows; -1 for anywhere. */
  readonly within: number;
  /** Criteria by catalogue field without which it is no match. */
  readonly musts: Readonly<Record<string, Wish>>;
  /** Criteria by catalogue field that make a match better, with their importance 1 to 3. */
  readonly wishes: Readonly<Record<string, Wish & { readonly importance: number }>>;
}

const oneOf = <F extends CodedField>(field: F, ...keys: Parameters<typeof codeOf<F>>[1][]): Wish => ({
  values: keys.map((key) => codeOf(field, key)),
});

/** A wish that somebody may have, and how much it matters to them: 0 not at all, above 1 it is a must. */
type Candidate = readonly [field: string, wish: Wish, weight: number];

/** Draws whom a person is looking for: mostly somebody of like age, faith, schooling and habits, nearby. */
export function drawPreferences(random: Random, person: Person): Preferences {
  const musts: Record<string, Wish> = {};
  const wishes: Record<string, Wish & { importance: number }> = {};
  for (const [field, wish, weight] of candidates(person)) {
    const felt = weight * (0.4 + 1.2 * random.real());
    if (felt > 1 && Object.keys(musts).length < 3) musts[field] = wish;
    else if (felt > 0.3) wishes[field] = { ...wish, importance: felt > 0.75 ? 3 : felt > 0.5 ? 2 : 1 };
  }
  return {
    gender: person.seeks,
    age: drawAges(random, person),
    within: Number(random.weighted({ 20: 10, 30: 18, 40: 10, 50: 28, 150: 20, 500: 6, 1000: 3, '-1': 5 })),
    musts,
    wishes,
  };
}

/** Men look a little younger, women a little older, everybody more widely with age. */
function drawAges(random: Random, { age, gender, seeks }: Person): Preferences['age'] {
  const shift = gender === seeks ? 0 : gender === 'Male' ? -2 : 2;
  const half = 4 + age * 0.1 + random.real() * 4;
  const from = Math.max(18, Math.round(age + shift - half));
  return { from, to: Math.min(120, Math.max(from + 4, Math.round(age + shift + half))) };
}

function candidates(person: Person): Candidate[] {
  return [...habitWishes(person), ...familyWishes(person), ...valueWishes(person), ...bodyWishes(person)];
}

function habitWishes({ smoking, drinking, exercise }: Person): Candidate[] {
  const active = exercise === 'daily' || exercise === 'several_times_a_week';
  return [
    smoking === 'never'
      ? ['smoking', oneOf('smoking', 'never'), 0.85]
      : ['smoking', oneOf('smoking', 'never', 'occasionally', 'regularly', 'trying_to_quit'), 0.1],
    drinking === 'never'
      ? ['drinking', oneOf('drinking', 'never', 'rarely'), 0.75]
      : ['drinking', oneOf('drinking', 'rarely', 'socially', 'often'), 0.35],
    ['exercise', oneOf('exercise', 'weekly', 'several_times_a_week', 'daily'), active ? 0.6 : 0.1],
  ];
}

function familyWishes({ wantChildren, hasChildren, age, marital }: Person): Candidate[] {
  const wishes: Candidate[] = [];
  if (wantChildren === 'yes' && age < 45) {
    wishes.push(['want_children', oneOf('want_children', 'yes', 'probably', 'not_sure'), 0.95]);
  }
  if (wantChildren === 'no' && age < 50) {
    wishes.push(['want_children', oneOf('want_children', 'no', 'probably_not'), 0.8]);
  }
  if (hasChildren === 'no' && age < 36) wishes.push(['has_children', oneOf('has_children', 'no'), 0.55]);
  if (marital === 'single' && age < 34)
    wishes.push(['marital_status', oneOf('marital_status', 'single'), 0.45]);
  else wishes.push(['marital_status', oneOf('marital_status', 'single', 'divorced', 'widowed'), 0.45]);
  return wishes;
}

/** Faiths that go well together, for those to whom it matters. */
const nearFaiths: Readonly<Partial<Record<Person['religion'], readonly Person['religion'][]>>> = {
  catholic: ['catholic', 'christian_other', 'orthodox', 'protestant'],
  protestant: ['protestant', 'christian_other', 'catholic'],
  christian_other: ['christian_other', 'protestant', 'catholic'],
  orthodox: ['orthodox', 'catholic', 'christian_other'],
  agnostic: ['agnostic', 'atheist', 'spiritual'],
  atheist: ['atheist', 'agnostic'],
  spiritual: ['spiritual', 'buddhist', 'agnostic'],
};

function valueWishes(person: Person): Candidate[] {
  const { religion, devotion, education, languages } = person;
  const learned = ['bachelors_degree', 'masters_degree', 'doctorate'].includes(education);
  const matters = religion === 'atheist' || religion === 'agnostic' ? 0.35 : devotion * 1.15;
  const wishes: Candidate[] = [
    ['religion', oneOf('religion', ...(nearFaiths[religion] ?? [religion])), matters],
    ['language', oneOf('language', ...languages), 0.7],
  ];
  if (learned)
    wishes.push(['education', oneOf('education', 'bachelors_degree', 'masters_degree', 'doctorate'), 0.5]);
  return wishes;
}

function bodyWishes({ gender, seeks, height, build }: Person): Candidate[] {
  const wishes: Candidate[] = [];
  if (gender === 'Female' && seeks === 'Male') wishes.push(['height', { from: height + 3, to: 230 }, 0.5]);
  if (gender === 'Male' && seeks === 'Female') wishes.push(['height', { from: 120, to: height }, 0.3]);
  if (build === 'athletic' || build === 'slim') {
    wishes.push(['build', oneOf('build', 'slim', 'athletic', 'average'), 0.45]);
  }
  return wishes;
}
