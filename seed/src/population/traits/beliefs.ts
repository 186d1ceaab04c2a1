import type { Key } from './codes.ts';
import type { Beliefs, Identity } from './person.ts';
import type { Country, Region } from '../places/city.ts';
import type { Random } from '../random.ts';
import type { Character } from './character.ts';

const spoken: Readonly<Record<Country, Key<'language'>>> = {
  US: 'english',
  CA: 'english',
  GB: 'english',
  DE: 'german',
  ES: 'spanish',
  GR: 'greek',
  TR: 'turkish',
  FR: 'french',
};

/** Regions where people are more (above 1) or less (below 1) likely to have left religion behind. */
const doubt: Readonly<Partial<Record<Region, number>>> = {
  south: 0.5,
  louisiana: 0.5,
  texas: 0.7,
  plains: 0.7,
  utah: 0.5,
  new_england: 1.7,
  bay_area: 1.9,
  northwest: 2,
  california: 1.3,
  northeast: 1.3,
};

/** Regions that vote to the left (negative) or right (positive). */
const lean: Readonly<Partial<Record<Region, number>>> = {
  south: 0.6,
  texas: 0.5,
  plains: 0.6,
  utah: 0.8,
  louisiana: 0.4,
  mountain: 0.2,
  florida: 0.3,
  new_england: -0.6,
  bay_area: -0.9,
  northwest: -0.7,
  california: -0.5,
  northeast: -0.5,
};

const godless: readonly Key<'religion'>[] = ['agnostic', 'atheist'];

/** Draws faith by origin, age and region, politics by faith, age and region, and languages by country and origin. */
export function drawBeliefs(random: Random, who: Identity & { readonly character: Character }): Beliefs {
  const { region } = who.home.city;
  const doubtHere =
    (region === 'abroad' ? 1 : (doubt[region] ?? 1)) * (who.age < 35 ? 1.3 : who.age > 55 ? 0.6 : 1);
  const faiths = Object.entries(who.heritage.religion).map(([faith, weight]) => [
    faith,
    godless.includes(faith as Key<'religion'>) ? weight * doubtHere : weight,
  ]);
  if (region === 'utah') faiths.push(['christian_other', 90]);
  const religion = random.weighted(Object.fromEntries(faiths) as Record<Key<'religion'>, number>);
  const devotion = godless.includes(religion)
    ? 0
    : Math.min(1, Math.max(0.05, random.normal(who.age > 50 ? 0.5 : 0.4, 0.25)));
  return {
    religion,
    devotion,
    politics: drawPolitics(random, who, devotion),
    languages: drawLanguages(random, who),
  };
}

function drawPolitics(
  random: Random,
  who: Identity & { readonly character: Character },
  devotion: number,
): Beliefs['politics'] {
  if (random.chance(0.17)) return 'not_political';
  const { region } = who.home.city;
  const leaning =
    (region === 'abroad' ? -0.3 : (lean[region] ?? 0)) +
    (devotion - 0.35) * 1.3 +
    (who.age - 40) * 0.012 -
    who.character.openness * 0.35 -
    (who.gender === 'Female' ? 0.2 : 0) +
    random.normal(-0.15, 0.8);
  if (leaning < -1.3) return 'very_liberal';
  if (leaning < -0.45) return 'liberal';
  if (leaning < 0.5) return 'middle_of_the_road';
  return leaning < 1.4 ? 'conservative' : 'very_conservative';
}

function drawLanguages(random: Random, who: Identity): Beliefs['languages'] {
  const { country, name } = who.home.city;
  const languages = new Set([name === 'Montreal' ? 'french' : spoken[country]]);
  const english = who.age < 35 ? 0.85 : who.age < 50 ? 0.65 : 0.4;
  if (country !== 'US' && random.chance(languages.has('english') ? 1 : english)) languages.add('english');
  const { speaks } = who.heritage;
  if (speaks && random.chance(speaks[1])) languages.add(speaks[0]);
  const learned = random.weighted({ spanish: 4, french: 3, german: 2, italian: 2, portuguese: 1 });
  if (random.chance(0.13)) languages.add(learned);
  return [...languages];
}
