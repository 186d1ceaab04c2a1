import type { Key } from './codes.ts';
import type { Body, Identity, Work } from './person.ts';
import type { Country } from '../places/city.ts';
import type { Random } from '../random.ts';
import type { Character } from './character.ts';
import type { Complexion } from './heritage.ts';

/** Mean height of men in centimetres; women are 13 cm shorter. */
const meanHeight: Readonly<Record<Country, number>> = {
  US: 177,
  CA: 178,
  GB: 177,
  DE: 180,
  ES: 176,
  GR: 178,
  TR: 175,
  FR: 177,
};

/** The share of smokers under 60 without a degree. */
const smokers: Readonly<Record<Country, number>> = {
  US: 0.2,
  CA: 0.19,
  GB: 0.21,
  DE: 0.3,
  ES: 0.32,
  GR: 0.42,
  TR: 0.43,
  FR: 0.36,
};

const eyes: Readonly<Record<Complexion, Readonly<Partial<Record<Key<'eye_color'>, number>>>>> = {
  fair: { blue: 44, green: 16, gray: 10, hazel: 14, brown: 16 },
  light: { blue: 24, green: 14, gray: 5, hazel: 20, brown: 37 },
  olive: { brown: 66, hazel: 16, green: 10, black: 5, blue: 3 },
  tan: { brown: 80, black: 12, hazel: 8 },
  brown: { brown: 76, black: 24 },
  dark: { brown: 60, black: 40 },
};

const hair: Readonly<Record<Complexion, Readonly<Partial<Record<Key<'hair_color'>, number>>>>> = {
  fair: { blond: 42, brown: 38, auburn: 9, red: 8, black: 3 },
  light: { brown: 62, blond: 20, black: 10, auburn: 6, red: 2 },
  olive: { brown: 52, black: 43, auburn: 4, blond: 1 },
  tan: { black: 66, brown: 34 },
  brown: { black: 90, brown: 10 },
  dark: { black: 97, brown: 3 },
};

/** Draws the body and its habits: height by gender and country, build by exercise, smoking and drinking by age, country, schooling and faith. */
export function drawBody(
  random: Random,
  who: Identity &
    Pick<Work, 'education'> & { readonly religion: Key<'religion'>; readonly character: Character },
): Body {
  const exercise = drawExercise(random, who.age, who.character.drive);
  return {
    height: drawHeight(random, who),
    exercise,
    build: drawBuild(random, who, exercise),
    eyes: eastAsian(who) ? random.weighted({ brown: 70, black: 30 }) : random.weighted(eyes[who.complexion]),
    hair: drawHair(random, who),
    smoking: drawSmoking(random, who),
    drinking: drawDrinking(random, who),
  };
}

const eastAsian = (who: Identity) =>
  ['chinese', 'korean', 'vietnamese', 'filipino'].includes(who.heritageName);

function drawHeight(random: Random, who: Identity): number {
  const origin = who.heritage.race === 'asian' ? -5 : who.heritageName === 'hispanic' ? -4 : 0;
  const mean = meanHeight[who.home.city.country] + origin - (who.age > 60 ? 2 : 0);
  const drawn = who.gender === 'Male' ? random.normal(mean, 7) : random.normal(mean - 13, 6.3);
  return Math.round(Math.min(208, Math.max(147, drawn)));
}

function drawExercise(random: Random, age: number, drive: number): Body['exercise'] {
  const score = random.normal(0, 1) + drive * 0.6 - (age > 55 ? 0.35 : 0);
  if (score < -1.2) return 'never';
  if (score < -0.3) return 'now_and_then';
  if (score < 0.5) return 'weekly';
  return score < 1.6 ? 'several_times_a_week' : 'daily';
}

function drawBuild(random: Random, who: Identity, exercise: Body['exercise']): Body['build'] {
  const active = exercise === 'daily' || exercise === 'several_times_a_week';
  const heavier = (who.age - 18) / 40 + (exercise === 'never' ? 0.8 : 0);
  return random.weighted({
    slim: (who.age < 35 ? 24 : 13) + (who.gender === 'Female' ? 4 : 0),
    athletic: active ? 38 : 7,
    average: 42,
    curvy: who.gender === 'Female' ? 20 : 0,
    stocky: who.gender === 'Male' ? 16 : 2,
    large: 4 + 8 * heavier * (active ? 0.4 : 1),
  });
}

function drawHair(random: Random, who: Identity): Body['hair'] {
  const { age, gender } = who;
  if (gender === 'Male' && age > 27 && random.chance(Math.min(0.24, (age - 27) * 0.008))) return 'bald';
  const greys = gender === 'Male' ? 0.022 : 0.011;
  if (age > 42 && random.chance((age - 42) * greys))
    return age > 62 && random.chance(0.35) ? 'white' : 'gray';
  if (eastAsian(who)) return 'black';
  const natural = random.weighted(hair[who.complexion]);
  const dyed =
    gender === 'Female' && ['fair', 'light', 'olive'].includes(who.complexion) && random.chance(0.14);
  return dyed ? random.weighted({ blond: 5, auburn: 4, red: 2 }) : natural;
}

function drawSmoking(random: Random, who: Identity & Pick<Work, 'education'>): Body['smoking'] {
  const degree = ['bachelors_degree', 'masters_degree', 'doctorate'].includes(who.education) ? 0.5 : 1;
  const byAge = who.age < 24 ? 0.9 : who.age > 60 ? 0.6 : 1;
  if (!random.chance(Math.min(0.6, smokers[who.home.city.country] * degree * byAge * 1.35))) return 'never';
  return random.weighted({
    occasionally: who.age < 35 ? 52 : 34,
    regularly: 30 + (who.age > 35 ? 10 : 0),
    trying_to_quit: 12 + (who.age > 30 ? 12 : 0),
  });
}

function drawDrinking(
  random: Random,
  who: Identity & { readonly religion: Key<'religion'>; readonly character: Character },
): Body['drinking'] {
  const abstains =
    who.religion === 'muslim'
      ? 8
      : who.home.city.region === 'utah' && who.religion === 'christian_other'
        ? 9
        : 1;
  const sociable = 1 + Math.max(-0.6, who.character.sociability * 0.35);
  return random.weighted({
    never: 14 * abstains,
    rarely: 28 + (who.age > 50 ? 6 : 0),
    socially: 50 * sociable,
    often: (who.age < 30 ? 11 : 6) * sociable,
  });
}
