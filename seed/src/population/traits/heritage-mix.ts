import type { City, Country, Region } from '../places/city.ts';
import type { HeritageName } from './heritage.ts';

type Mix = Readonly<Partial<Record<HeritageName, number>>>;

const european: Mix = {
  english: 26,
  irish: 9,
  scottish: 5,
  german_american: 12,
  italian: 6,
  polish: 3,
  scandinavian: 3,
  jewish: 2,
};
const common: Mix = {
  ...european,
  african_american: 12,
  hispanic: 13,
  mixed: 3,
  chinese: 2,
  indian: 2,
  filipino: 1,
  korean: 1,
  vietnamese: 1,
  arab: 1,
  native: 0.5,
  greek_american: 1,
};

const regions: Readonly<Record<Region, Mix>> = {
  northeast: {
    ...common,
    english: 16,
    italian: 12,
    irish: 11,
    jewish: 9,
    hispanic: 16,
    african_american: 14,
    chinese: 4,
    indian: 4,
    greek_american: 3,
  },
  new_england: { ...common, irish: 16, italian: 10, african_american: 6, hispanic: 9, greek_american: 3 },
  great_lakes: {
    ...common,
    german_american: 13,
    polish: 9,
    african_american: 20,
    hispanic: 14,
    arab: 2,
    greek_american: 3,
  },
  midwest: { ...common, german_american: 20, scandinavian: 7, african_american: 10, hispanic: 6 },
  plains: { ...common, german_american: 19, african_american: 8, hispanic: 9, native: 2 },
  south: { ...common, english: 34, scottish: 8, african_american: 24, hispanic: 8, jewish: 1 },
  louisiana: { ...common, cajun: 16, african_american: 32, hispanic: 5 },
  florida: { ...common, hispanic: 22, african_american: 14 },
  miami: { ...common, english: 10, hispanic: 56, african_american: 12, jewish: 5 },
  texas: { ...common, hispanic: 30, african_american: 11, vietnamese: 2, indian: 3 },
  southwest: { ...common, hispanic: 32, african_american: 5, native: 4 },
  mountain: { ...common, english: 32, scandinavian: 7, hispanic: 11, african_american: 2, native: 2 },
  utah: { ...common, english: 42, scandinavian: 14, hispanic: 9, african_american: 1 },
  california: {
    ...common,
    english: 18,
    hispanic: 33,
    african_american: 7,
    chinese: 4,
    filipino: 4,
    korean: 3,
  },
  bay_area: {
    ...common,
    english: 16,
    hispanic: 16,
    chinese: 14,
    indian: 8,
    filipino: 5,
    african_american: 7,
  },
  northwest: { ...common, scandinavian: 9, chinese: 4, african_american: 4, hispanic: 8, vietnamese: 2 },
  hawaii: { english: 14, hawaiian: 34, filipino: 20, chinese: 10, korean: 4, hispanic: 5, mixed: 8 },
};

const abroad: Readonly<Record<Exclude<Country, 'US'>, Mix>> = {
  CA: {
    british: 40,
    scots: 10,
    british_irish: 8,
    chinese: 9,
    indian: 9,
    quebecois: 6,
    german_american: 3,
    arab: 3,
  },
  GB: { british: 74, british_irish: 5, british_indian: 8, british_caribbean: 6, polish: 2 },
  DE: { german: 84, german_turkish: 8, polish: 3, italian: 2, greek_american: 2 },
  ES: { spanish: 93, hispanic: 5 },
  GR: { greek: 98, british: 1 },
  TR: { turkish: 98, german_turkish: 1 },
  FR: { french: 85, french_arab: 10, italian: 2, spanish: 2 },
};

const special: Readonly<Record<string, Mix>> = {
  Montreal: { quebecois: 66, british: 14, arab: 7, italian: 5, chinese: 3 },
  Edinburgh: { scots: 70, british: 16, british_irish: 6, british_indian: 4 },
  Glasgow: { scots: 68, british: 10, british_irish: 12, british_indian: 6 },
  Cardiff: { welsh: 64, british: 26, british_indian: 4 },
  Belfast: { british_irish: 72, british: 20 },
};

/** The shares of origins among a city's people. */
export function heritageMix(city: City): Mix {
  if (city.country !== 'US') return special[city.name] ?? abroad[city.country];
  return city.region === 'abroad' ? common : regions[city.region];
}
