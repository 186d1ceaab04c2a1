import { dayMs, utcDay } from '@covalence/contract/time';
import { firstName, type NameTradition } from '../names/first-names.ts';
import { lastName } from '../names/last-names.ts';
import type { Identity } from './person.ts';
import type { Country } from '../places/city.ts';
import { drawHome } from '../places/home.ts';
import type { Random } from '../random.ts';
import { heritages, type Heritage } from './heritage.ts';
import { heritageMix } from './heritage-mix.ts';

/** Parts of an identity that may be given before anything is drawn. */
type Overrides = Partial<Pick<Identity, 'gender' | 'seeks' | 'age' | 'firstName' | 'heritageName'>> & {
  readonly city?: string;
};

/** Members by age: most are in their late twenties to forties. */
const ages: Readonly<Record<string, number>> = {
  '18-24': 15,
  '25-34': 31,
  '35-44': 24,
  '45-54': 16,
  '55-64': 10,
  '65-79': 4,
};

/** Families from elsewhere take the common names of the country they live in. */
const localNames: Readonly<Partial<Record<Country, NameTradition>>> = {
  CA: 'british',
  GB: 'british',
  DE: 'german',
  ES: 'spanish',
  FR: 'french',
  GR: 'greek',
  TR: 'turkish',
};

/** Draws gender, age, home, origin and names: the names fit origin, gender and year of birth. */
export function drawIdentity(random: Random, now: Date, given: Overrides = {}): Identity {
  const gender = given.gender ?? (random.chance(0.49) ? 'Female' : 'Male');
  const other = gender === 'Female' ? 'Male' : 'Female';
  const seeks = given.seeks ?? (random.chance(0.05) ? gender : other);
  const age = given.age ?? drawAge(random);
  const born = birthDate(random, age, now);
  const home = drawHome(random, given.city);
  const heritageName = given.heritageName ?? random.weighted(heritageMix(home.city));
  const heritage: Heritage = heritages[heritageName];
  return {
    gender,
    seeks,
    age,
    born,
    home,
    heritageName,
    heritage,
    firstName: given.firstName ?? drawFirstName(random, heritage, home.city.country, gender, born),
    lastName: lastName(random, heritage.family, gender),
    complexion: random.weighted(heritage.complexion),
  };
}

function drawAge(random: Random): number {
  const [from = 18, to = 79] = random.weighted(ages).split('-').map(Number);
  return random.integer(from, to);
}

/** A birth date of somebody who is `age` full years old at `now`. */
function birthDate(random: Random, age: number, now: Date): string {
  const latest = Date.UTC(now.getUTCFullYear() - age, now.getUTCMonth(), now.getUTCDate());
  return utcDay(new Date(latest - random.integer(1, 364) * dayMs));
}

function drawFirstName(
  random: Random,
  heritage: Heritage,
  country: Country,
  gender: Identity['gender'],
  born: string,
): string {
  const drawn = random.weighted<NameTradition>(heritage.given);
  const tradition = drawn === 'american' ? (localNames[country] ?? drawn) : drawn;
  return firstName(random, tradition, gender, Number(born.slice(0, 4)));
}
