import { codeOf, fiveStep, interestCodes, type CodedField, type Key } from './traits/codes.ts';
import type { Person } from './traits/person.ts';
import { localeOf } from './account.ts';
import type { Random } from './random.ts';
import { scales } from './traits/character.ts';
import type { Preferences } from './traits/preferences.ts';
import { drawFavorites } from './texts/answers.ts';
import type { Texts } from './texts/write-texts.ts';

/** A stored value: a text, a number, a code, or a list of codes. */
export type FieldValue = string | number | readonly number[];

/** Values by the catalogue's field names. */
export type Fields = Record<string, FieldValue>;

/** Coded traits that members may leave out. */
const optional = [
  'exercise',
  'politics',
  'race',
  'family_roots',
  'eye_color',
  'hair_color',
  'best_attribute',
  'income',
  'occupation',
  'education',
  'religion',
  'want_children',
  'music',
] as const;

/** The catalogue's values of a person: profile fields, coded where the catalogue codes them. */
export function fieldsOf(random: Random, person: Person, preferences: Preferences, texts: Texts): Fields {
  const { city, area, latitude, longitude } = person.home;
  const fields: Fields = {
    gender: person.gender,
    gender_preference: person.seeks,
    date_of_birth: person.born,
    first_name: person.firstName,
    last_name: person.lastName,
    display_name_preference: random.chance(0.7) ? 'nickname' : 'firstname',
    headline: texts.headline,
    about_me: texts.about_me,
    city: city.name,
    state: city.state,
    zip: area.postal,
    country: city.country,
    latitude,
    longitude,
    locale: localeOf(person),
    timezone: city.timezone,
    agefrom: preferences.age.from,
    ageto: preferences.age.to,
    ...codedTraits(random, person),
    ...interestFields(person),
    ...scaleFields(random, person),
    ...opinionFields(random, person),
    ...drawFavorites(random, person),
    ...texts.answers,
  };
  const thoroughness = random.real();
  for (const name of optional) if (!random.chance(0.55 + 0.45 * thoroughness)) delete fields[name];
  return fields;
}

const many = <F extends CodedField>(field: F, keys: readonly Key<F>[]) =>
  keys.map((key) => codeOf(field, key));

function codedTraits(random: Random, person: Person): Fields {
  return {
    height: person.height,
    build: codeOf('build', person.build),
    smoking: codeOf('smoking', person.smoking),
    drinking: codeOf('drinking', person.drinking),
    education: codeOf('education', person.education),
    religion: codeOf('religion', person.religion),
    marital_status: codeOf('marital_status', person.marital),
    has_children: codeOf('has_children', person.hasChildren),
    want_children: codeOf('want_children', person.wantChildren),
    language: many('language', person.languages),
    income: codeOf('income', person.income),
    occupation: codeOf('occupation', person.occupation),
    exercise: codeOf('exercise', person.exercise),
    best_attribute: codeOf('best_attribute', bestAttribute(random, person)),
    eye_color: codeOf('eye_color', person.eyes),
    hair_color: codeOf('hair_color', person.hair),
    family_roots: many('family_roots', person.heritage.roots),
    race: codeOf('race', person.heritage.race),
    politics: codeOf('politics', person.politics),
    music: many('music', person.music),
  };
}

function bestAttribute(random: Random, { character, hair }: Person): Key<'best_attribute'> {
  return random.weighted({
    eyes: 18,
    smile: 20,
    hair: hair === 'bald' ? 0 : 9,
    voice: 7,
    hands: 6,
    humor: 14 * Math.exp(character.sociability * 0.3),
    mind: 12 * Math.exp(character.openness * 0.4),
    heart: 12 * Math.exp(character.warmth * 0.5),
  });
}

const interestFields = ({ interests }: Person): Fields =>
  Object.fromEntries([...interests].map(([interest, liking]) => [`i_${interest}`, interestCodes[liking]]));

/** Answers to some of the personality and lifestyle scales. */
function scaleFields(random: Random, person: Person): Fields {
  const steps = Object.entries(scales(random, { ...person.character, devotion: person.devotion }));
  const answered = random.sample(steps, random.chance(0.3) ? 0 : random.integer(3, 12));
  return Object.fromEntries(answered.map(([name, step]) => [name, fiveStep(step)]));
}

/** Opinions with the position of the left (-1) or the right (+1); 1 is strongly for, 5 strongly against. */
const opinions: Readonly<Record<string, number>> = {
  a_animal_rights: -0.3,
  a_capital_punishment: 0.9,
  a_free_press: -0.2,
  a_gun_control: -1.2,
  a_welfare: -1,
  a_school_prayer: 1.1,
  a_legalizing_drugs: -0.8,
  a_united_nations: -0.6,
  a_nato: 0,
  a_homelessness: -0.5,
  a_european_union: -0.5,
  a_spirituality: 0.2,
};

const stance: Readonly<Record<Person['politics'], number>> = {
  very_liberal: -1.6,
  liberal: -0.9,
  middle_of_the_road: 0,
  conservative: 0.9,
  very_conservative: 1.6,
  not_political: 0,
};

/** A few opinions according to the person's politics. */
function opinionFields(random: Random, { politics }: Person): Fields {
  if (politics === 'not_political' || !random.chance(0.4)) return {};
  const answered = random.sample(Object.entries(opinions), random.integer(2, 7));
  return Object.fromEntries(
    answered.map(([name, side]) => [name, fiveStep(2.6 - side * stance[politics] + random.normal(0, 0.7))]),
  );
}
