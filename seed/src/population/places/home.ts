import type { Random } from '../random.ts';
import type { Area, City, Country } from './city.ts';
import { europeanCities } from './european-cities.ts';
import { furtherCities } from './further-cities.ts';
import { usCities } from './us-cities.ts';

/** A member's home: the city, the quarter, and a position near the middle of the quarter in degrees. */
export interface Home {
  readonly city: City;
  readonly area: Area;
  readonly latitude: number;
  readonly longitude: number;
}

/** Seven in ten members live in the United States. */
const countries: Readonly<Record<Country, number>> = {
  US: 700,
  DE: 60,
  GR: 52,
  ES: 48,
  TR: 40,
  FR: 38,
  GB: 36,
  CA: 26,
};

const cities = [...usCities, ...europeanCities, ...furtherCities];
const byCountry = Map.groupBy(cities, (city) => city.country);

/** About half a kilometre: members of one postal code live in different streets. */
const spread = 0.006;

const degrees = (value: number) => Math.round(value * 10_000) / 10_000;

/** A home in one of the population's cities, big cities more often; `where` fixes the city by its name. */
export function drawHome(random: Random, where?: string): Home {
  const country = random.weighted(countries);
  const local = byCountry.get(country) ?? cities;
  const city = cities.find(({ name }) => name === where) ?? drawCity(random, local);
  const area = random.pick(city.areas);
  return {
    city,
    area,
    latitude: degrees(area.latitude + (random.real() - 0.5) * 2 * spread),
    longitude: degrees(area.longitude + (random.real() - 0.5) * 2 * spread),
  };
}

function drawCity(random: Random, local: readonly City[]): City {
  const weights = Object.fromEntries(local.map((city, index) => [index, city.weight]));
  const city = local[Number(random.weighted(weights))];
  if (!city) throw new Error('a country without cities');
  return city;
}
