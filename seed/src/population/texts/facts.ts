import type { Person } from '../person.ts';
import type { Random } from '../random.ts';
import type { Language, Tongue } from './language.ts';
import type { Facts } from './template.ts';

/** What texts need to know beside the person. */
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

const partners: Readonly<
  Record<Tongue, Readonly<Record<Person['gender'], readonly [string, string, string]>>>
> = {
  english: { Female: ['a woman', 'her', 'her'], Male: ['a man', 'him', 'his'] },
  german: { Female: ['eine Frau', 'der', 'ihr'], Male: ['einen Mann', 'dem', 'sein'] },
  spanish: { Female: ['una mujer', 'ella', 'su'], Male: ['un hombre', 'él', 'su'] },
  french: { Female: ['une femme', 'elle', 'sa'], Male: ['un homme', 'lui', 'son'] },
  greek: { Female: ['μια γυναίκα', 'της', 'της'], Male: ['έναν άντρα', 'του', 'του'] },
  turkish: { Female: ['bir kadın', 'o', 'onun'], Male: ['bir erkek', 'o', 'onun'] },
};

/** Cities as people there write them; Greek ones stand in "στην …". */
const localNames: Readonly<Partial<Record<Tongue, Readonly<Record<string, string>>>>> = {
  german: {
    Munich: 'München',
    Cologne: 'Köln',
    'Frankfurt am Main': 'Frankfurt',
    'Freiburg im Breisgau': 'Freiburg',
  },
  spanish: { Seville: 'Sevilla' },
  french: { Montreal: 'Montréal' },
  turkish: { Istanbul: 'İstanbul', Izmir: 'İzmir' },
  greek: {
    Athens: 'στην Αθήνα',
    'Nea Smyrni': 'στη Νέα Σμύρνη',
    Glyfada: 'στη Γλυφάδα',
    Marousi: 'στο Μαρούσι',
    Kifisia: 'στην Κηφισιά',
    Piraeus: 'στον Πειραιά',
    Thessaloniki: 'στη Θεσσαλονίκη',
    Patras: 'στην Πάτρα',
    Heraklion: 'στο Ηράκλειο',
    Larissa: 'στη Λάρισα',
    Ioannina: 'στα Γιάννενα',
    Chania: 'στα Χανιά',
    Volos: 'στον Βόλο',
  },
};

/** Quarters that do not stand well in a sentence: directions, and in German those that need an article. */
const directions = ['Center', 'Downtown', 'City Centre', 'Centro', 'Old Town', 'Midtown', 'Zentrum'];
const withArticle =
  `Belgisches Viertel,Südstadt,Südvorstadt,Neustadt,Altstadt,Nordend,Ostend,Steintor,Wiehre,Sternschanze,
  Isarvorstadt,Maxvorstadt,Uhlenhorst,Stuttgart-West`.split(/,\s*/);

/** A quarter as a sentence in the language can name it, if it can. */
function quarterOf(quarter: string, tongue: Tongue): string | undefined {
  if (tongue === 'greek' || directions.includes(quarter)) return undefined;
  return tongue === 'german' && withArticle.includes(quarter) ? undefined : quarter;
}

/** Everything that lines may say about a person, drawn once so that a text does not contradict itself. */
export function factsOf(
  person: Person,
  wished: Wished,
  tongue: Tongue,
  language: Language,
  random: Random,
): Facts {
  const { city, area } = person.home;
  const named = localNames[tongue]?.[city.name] ?? city.name;
  const [partner, partnerhim, partnerhis] = partners[tongue][person.seeks];
  const loved = [...person.interests]
    .filter(([, liking]) => liking === 'love_it')
    .map(([interest]) => interest);
  const likes = loved.flatMap((interest) => {
    const names = language.likes.get(interest);
    return names ? [random.pick(names)] : [];
  });
  return {
    age: String(person.age),
    agefrom: String(wished.agefrom),
    name: tongue === 'greek' ? undefined : person.firstName,
    city: tongue === 'greek' ? undefined : named,
    incity: named,
    quarter: quarterOf(area.quarter, tongue),
    town:
      city.country === 'US' ? random.pick(language.words.get('hometown') ?? ['']) || undefined : undefined,
    field: language.fields[person.occupation],
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
    ...belongings(language, random),
    spouse: person.seeks === 'Female' ? 'wife' : 'husband',
    spousethem: person.seeks === 'Female' ? 'her' : 'him',
  };
}

const when = (so: boolean) => (so ? '' : undefined);

/** Slots that say nothing but let a line through only for people of some age or circumstance. */
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

/** Whether somebody was born in the city, and for how many years they have lived there and in the quarter. */
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

/** One animal's name and breed in all of a person's texts, and one instrument that they play. */
function belongings({ words }: Language, random: Random): Facts {
  const drawn = ['dogname', 'catname', 'breed', 'instrument'].map((slot) => {
    const list = words.get(slot);
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
    // Lines say years.
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
