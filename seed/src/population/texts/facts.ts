import type { Person } from '../traits/person.ts';
import type { Random } from '../random.ts';
import { likesByInterest, wordsBySlot } from './phrases.ts';
import type { Facts } from './template.ts';

/** Preferences that texts mention. */
export interface Wished {
  readonly agefrom: number;
}

const counts = [
  'no',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
];

const partners: Readonly<Record<Person['gender'], readonly [string, string, string]>> = {
  Female: ['a woman', 'her', 'her'],
  Male: ['a man', 'him', 'his'],
};

/** Names of quarters that do not read well in a sentence. */
const directions = ['Center', 'Downtown', 'City Centre', 'Centro', 'Old Town', 'Midtown', 'Zentrum'];

/** The values of slots for a person, drawn once so that texts do not contradict each other. */
export function factsOf(person: Person, wished: Wished, random: Random): Facts {
  const { city, area } = person.home;
  const [partner, partnerhim, partnerhis] = partners[person.seeks];
  const loved = [...person.interests]
    .filter(([, liking]) => liking === 'love_it')
    .map(([interest]) => interest);
  const likes = loved.flatMap((interest) => {
    const names = likesByInterest.get(interest);
    return names ? [random.pick(names)] : [];
  });
  return {
    age: String(person.age),
    agefrom: String(wished.agefrom),
    name: person.firstName,
    city: city.name,
    quarter: directions.includes(area.quarter) ? undefined : area.quarter,
    town: city.country === 'US' ? random.pick(wordsBySlot.get('hometown') ?? ['']) || undefined : undefined,
    job: person.job,
    jobword: person.job.replace(/^(an?|the) /, ''),
    partner,
    partnerhim,
    partnerhis,
    like1: likes[0],
    like2: likes[1],
    like3: likes[2],
    ...childFacts(person, random),
    ...circumstances(person),
    ...yearsInTown(person, random),
    ...belongings(random),
    spouse: person.seeks === 'Female' ? 'wife' : 'husband',
    spousethem: person.seeks === 'Female' ? 'her' : 'him',
  };
}

const when = (so: boolean) => (so ? '' : undefined);

/** Empty slots that restrict a line to an age or a circumstance. */
function circumstances({ age, marital, children, occupation, job }: Person): Facts {
  const youngest = children.at(-1);
  return {
    over25: when(age > 25),
    over30: when(age > 30),
    over35: when(age > 35),
    under45: when(age < 45),
    married: when(marital !== 'single'),
    parent: when(youngest !== undefined),
    childless: when(youngest === undefined),
    schoolchild: when(youngest !== undefined && youngest > 4),
    classroom: when(/teacher|lecturer|professor|principal/.test(job)),
    grandparent: when(youngest !== undefined && youngest > 24),
    student: when(occupation === 'student'),
    retired: when(occupation === 'retired'),
  };
}

/** Whether a person is native to the city, and the years in the city and the quarter. */
function yearsInTown({ age }: Person, random: Random): Facts {
  const native = age < 21 || random.chance(0.35);
  const years = random.integer(2, Math.min(19, age - 17));
  return {
    native: when(native),
    incomer: when(!native),
    cityyears: native ? undefined : (counts[years] ?? String(years)),
    quarteryears: counts[random.integer(2, Math.min(8, years))],
  };
}

/** The pet and the instrument that all texts of a person mention. */
function belongings(random: Random): Facts {
  const drawn = ['dogname', 'catname', 'breed', 'instrument'].map((slot) => {
    const list = wordsBySlot.get(slot);
    return [slot, list && random.pick(list)] as const;
  });
  return Object.fromEntries(drawn);
}

function childFacts({ children }: Person, random: Random): Facts {
  const youngest = children.at(-1);
  if (youngest === undefined) return {};
  const girls = children.map(() => random.chance(0.5));
  const count = counts[children.length] ?? 'many';
  const ages = children.toReversed().map((age) => (age < 1 ? 'a baby' : (counts[age] ?? String(age))));
  const sons = girls.filter((girl) => !girl).length;
  const word = girls[0] ? 'daughter' : 'son';
  const several =
    sons === 0 ? `${count} girls` : sons === children.length ? `${count} boys` : `${count} kids`;
  return {
    // Lines use the plural.
    kidage: youngest > 1 ? String(youngest) : undefined,
    kidages: youngest > 0 ? children.toReversed().join(', ') : undefined,
    childages: ages.join(' and '),
    child:
      youngest < 1
        ? `a baby ${word}`
        : `a ${counts[youngest] ?? youngest}-year-old ${word}`.replace(/^a (?=eight|eleven|18)/, 'an '),
    childhe: girls[0] ? 'she' : 'he',
    children: children.length === 2 && sons === 1 ? 'a son and a daughter' : several,
    grownword: children.length === 1 ? word : 'kids',
    grownkids:
      children.length === 1 ? `a ${word}` : several.replace('girls', 'daughters').replace('boys', 'sons'),
  };
}
