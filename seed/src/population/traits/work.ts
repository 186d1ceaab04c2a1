import type { Key } from './codes.ts';
import type { Identity, Work } from './person.ts';
import type { Country } from '../places/city.ts';
import type { Random } from '../random.ts';
import { drawJob } from './jobs.ts';

type Occupation = Key<'occupation'>;
type Education = Key<'education'>;

/** Schooling from the shortest to the longest. */
export const schooling: readonly Education[] = [
  'high_school',
  'some_college',
  'associate_degree',
  'bachelors_degree',
  'masters_degree',
  'doctorate',
];

const brackets: readonly Key<'income'>[] = [
  'under_25000',
  '25000_50000',
  '50000_75000',
  '75000_100000',
  '100000_150000',
  'over_150000',
];

/** Upper ends of the brackets in thousands of dollars. */
const bracketEnds = [25, 50, 75, 100, 150] as const;

/** For each occupation how common it is by schooling, and its pay against the average of that schooling. */
const occupations: Readonly<
  Record<Occupation, { share: readonly [number, number, number, number, number, number]; pay: number }>
> = {
  administration: { share: [9, 12, 12, 8, 4, 0], pay: 0.85 },
  arts_and_media: { share: [3, 5, 4, 9, 7, 1], pay: 0.85 },
  business_and_finance: { share: [3, 6, 7, 16, 16, 3], pay: 1.2 },
  construction_and_trades: { share: [18, 10, 9, 2, 0, 0], pay: 1.15 },
  education: { share: [3, 4, 5, 11, 20, 26], pay: 0.85 },
  engineering: { share: [1, 2, 5, 9, 10, 9], pay: 1.25 },
  health_care: { share: [6, 8, 20, 11, 13, 28], pay: 1.15 },
  hospitality: { share: [14, 12, 7, 3, 1, 0], pay: 0.75 },
  information_technology: { share: [3, 6, 7, 12, 9, 4], pay: 1.35 },
  law: { share: [0, 0, 3, 3, 5, 12], pay: 1.3 },
  public_service: { share: [6, 7, 6, 6, 7, 3], pay: 0.95 },
  retail_and_sales: { share: [16, 14, 8, 8, 3, 0], pay: 0.85 },
  science: { share: [0, 0, 1, 3, 5, 22], pay: 1 },
  student: { share: [0, 0, 0, 0, 0, 0], pay: 0.3 },
  transport: { share: [11, 7, 4, 1, 0, 0], pay: 0.95 },
  self_employed: { share: [7, 7, 6, 6, 6, 3], pay: 1.05 },
  retired: { share: [0, 0, 0, 0, 0, 0], pay: 0.7 },
  other: { share: [3, 3, 2, 2, 2, 1], pay: 0.85 },
};

/** Factor by which women (above 1) or men (below 1) are more frequent in an occupation. */
const womensTilt: Readonly<Partial<Record<Occupation, number>>> = {
  administration: 2,
  construction_and_trades: 0.12,
  education: 1.9,
  engineering: 0.35,
  health_care: 2,
  information_technology: 0.4,
  transport: 0.25,
};

/** Mean pay at forty in thousands of dollars, by schooling. */
const meanPay = [40, 46, 52, 76, 92, 122] as const;

/** Pay against the United States. */
const payLevel: Readonly<Record<Country, number>> = {
  US: 1,
  CA: 0.85,
  GB: 0.75,
  DE: 0.85,
  FR: 0.7,
  ES: 0.5,
  GR: 0.36,
  TR: 0.32,
};

/** Draws schooling by age, occupation by schooling, age and gender, and income by all of them. */
export function drawWork(random: Random, who: Identity): Work {
  const education = drawEducation(random, who.age);
  const level = schooling.indexOf(education);
  const [occupation, job] = drawOccupation(random, who, level);
  const pay =
    meanPay[level as 0] * occupations[occupation].pay * payLevel[who.home.city.country] * byAge(who.age);
  const earned = pay * Math.exp(random.normal(0, 0.32));
  const bracket = bracketEnds.filter((end) => earned >= end).length + 1;
  return {
    education,
    occupation,
    job,
    bracket,
    income: random.chance(0.2) ? 'rather_not_say' : (brackets[bracket - 1] ?? 'rather_not_say'),
  };
}

const byAge = (age: number) => Math.min(1.12, 0.5 + (age - 18) * 0.024);

function drawEducation(random: Random, age: number): Education {
  if (age < 22) return random.weighted({ high_school: 45, some_college: 50, associate_degree: 5 });
  if (age < 26) {
    return random.weighted({
      high_school: 17,
      some_college: 23,
      associate_degree: 11,
      bachelors_degree: 43,
      masters_degree: 6,
    });
  }
  const older = age > 55 ? 1.5 : 1;
  return random.weighted({
    high_school: 15 * older,
    some_college: 15 * older,
    associate_degree: 11,
    bachelors_degree: 34,
    masters_degree: 19,
    doctorate: age > 29 ? 6 : 1,
  });
}

function drawOccupation(random: Random, who: Identity, level: number): readonly [Occupation, string] {
  const drawn = isStudent(random, who.age, level)
    ? 'student'
    : isRetired(random, who.age)
      ? 'retired'
      : undefined;
  for (let tries = 0; tries < 20; tries += 1) {
    const occupation = drawn ?? drawTrade(random, who.gender, level);
    const job = drawJob(random, occupation, { level, age: who.age });
    if (job) return [occupation, job];
  }
  return ['other', 'between two jobs'];
}

function isStudent(random: Random, age: number, level: number): boolean {
  const studies = age < 23 ? (level === 1 ? 0.62 : 0.12) : age < 27 && level >= 3 ? 0.2 : 0.01;
  return age < 35 && random.chance(studies);
}

const isRetired = (random: Random, age: number) =>
  age > 58 && random.chance(Math.min(0.94, (age - 58) * 0.095));

function drawTrade(random: Random, gender: Identity['gender'], level: number): Occupation {
  const weights = Object.entries(occupations).map(([name, { share }]) => {
    const tilt = womensTilt[name as Occupation] ?? 1;
    return [name, (share[level] ?? 0) * (gender === 'Female' ? tilt : 1 / Math.sqrt(tilt))];
  });
  return random.weighted(Object.fromEntries(weights) as Record<Occupation, number>);
}
