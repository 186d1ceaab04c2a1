import { describe, expect, it } from '@jest/globals';
import { gazetteer } from '../src/gazetteer.ts';
import { postalPlace } from '../src/postal-places.ts';

const placed = (place: { city: string; state: string; country: string } | null) =>
  place && `${place.city}, ${place.state}, ${place.country}`;

describe('cities by name', () => {
  it.each([
    ['Austin', 'US', '', 'Austin, Texas, US'],
    ['austin', 'US', 'Minnesota', 'Austin, Minnesota, US'],
    ['Portland', 'US', 'ME', 'Portland, Maine, US'],
    ['Springfield', 'US', 'Illinois', 'Springfield, Illinois, US'],
    ['New York', 'US', 'New York', 'New York City, New York, US'],
    ['München', 'DE', 'Bayern', 'Munich, Bavaria, DE'],
    ['MUNICH', 'DE', 'Bavaria', 'Munich, Bavaria, DE'],
    ['Koln', 'DE', '', 'Köln, North Rhine-Westphalia, DE'],
    ['Frankfurt', 'DE', '', 'Frankfurt am Main, Hesse, DE'],
    ['Αθήνα', 'GR', 'Αττική', 'Athens, Attica, GR'],
    ['Θεσσαλονίκη', 'GR', '', 'Thessaloníki, Central Macedonia, GR'],
    ['Thessaloniki', 'GR', '', 'Thessaloníki, Central Macedonia, GR'],
    ['Heraklion', 'GR', '', 'Irákleion, Crete, GR'],
    ['Seville', 'ES', '', 'Sevilla, Andalusia, ES'],
    ['Montreal', 'CA', '', 'Montréal, Quebec, CA'],
    ['İstanbul', 'TR', '', 'Istanbul, Istanbul, TR'],
    ['Athens', 'US', 'Georgia', 'Athens, Georgia, US'],
  ])('%s in %s (%s) is %s', (name, country, state, expected) => {
    expect(placed(gazetteer().city(name, country, state))).toBe(expected);
  });

  it.each([
    ['Austin', 'DE', ''],
    ['Austin', 'US', 'Hawaii'],
    ['Nowhere-upon-Nothing', 'US', ''],
    ['', 'US', ''],
    ['Austin', 'ZZ', ''],
  ])('%s in %s (%s) is nowhere', (name, country, state) => {
    expect(gazetteer().city(name, country, state)).toBeNull();
  });
});

describe('postal codes', () => {
  it.each([
    ['78701', 'US', 'Austin, Texas, US'],
    ['78701-1234', 'US', 'Austin, Texas, US'],
    ['20001', 'US', 'Washington, District of Columbia, US'],
    ['m5v 2t6', 'CA', 'Toronto, Ontario, CA'],
    ['H2Y', 'CA', 'Montréal, Quebec, CA'],
    ['10115', 'DE', 'Berlin, State of Berlin, DE'],
    ['80331', 'DE', 'Munich, Bavaria, DE'],
    ['69003', 'FR', 'Lyon, Auvergne-Rhône-Alpes, FR'],
    ['8001', 'CH', 'Zürich, Zurich, CH'],
    ['1010', 'AT', 'Vienna, Vienna, AT'],
    ['546 22', 'GR', 'Thessaloníki, Central Macedonia, GR'],
    ['34710', 'TR', 'Istanbul, Istanbul, TR'],
    ['m1 1ae', 'GB', 'Manchester, England, GB'],
    ['1012 AB', 'NL', 'Amsterdam, North Holland, NL'],
    ['4000-001', 'PT', 'Porto, Porto, PT'],
    ['00-001', 'PL', 'Warsaw, Mazovia, PL'],
  ])('%s in %s is %s', (zip, country, expected) => {
    expect(placed(gazetteer().postal(zip, country))).toBe(expected);
  });

  it.each([
    ['00000', 'US'],
    ['00000', 'DE'],
    ['1011', 'DE'],
    ['DE', 'DE'],
    ['28001', 'ES'],
    ['78701', 'CA'],
  ])('%s in %s is not known', (zip, country) => {
    expect(postalPlace(zip, country)).toBeNull();
  });
});

describe('positions', () => {
  it.each([
    [30.2672, -97.7431, 'Austin, Texas, US'],
    [30.35, -97.7, 'Austin, Texas, US'],
    [48.1374, 11.5755, 'Munich, Bavaria, DE'],
    [52.53, 13.38, 'Berlin, State of Berlin, DE'],
    [37.9838, 23.7275, 'Athens, Attica, GR'],
    [41.3874, 2.1686, 'Barcelona, Catalonia, ES'],
    [-16.5, 179.99, 'Labasa, Northern, FJ'],
    [-30, 179.99, null],
    [0, -30, null],
    [90, 0, null],
  ])('%p, %p is %p', (latitude, longitude, expected) => {
    expect(placed(gazetteer().nearest(latitude, longitude))).toBe(expected);
  });
});
