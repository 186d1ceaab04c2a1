import { zodiacSigns } from '../members/zodiac.ts';
import type { Labels } from './field.ts';
import { labelIn, labels } from './labels.ts';

/** Labels of the criteria without a field in the catalogue. */
export const derivedLabels: Readonly<Record<string, Labels>> = {
  age: labels('criterion.age', 'Age'),
  location: labels('criterion.location', 'Distance'),
  photo: labels('criterion.photo', 'Has photos'),
  new: labels('criterion.new', 'New members'),
  keywords: labels('criterion.keywords', 'Keywords'),
  zodiac: labels('criterion.zodiac', 'Zodiac sign'),
  last_active: labels('criterion.last_active', 'Last active'),
};

/** Labels of the values of these criteria, except numbers. */
export const derivedValueLabels: Readonly<Record<string, Labels>> = {
  true: labels('value.true', 'Yes'),
  false: labels('value.false', 'No'),
  ...Object.fromEntries(zodiacSigns.map((sign) => [sign, labels(`zodiac.${sign}`, sign)])),
};

const numbered = (texts: Labels, locale: string, number: number) =>
  labelIn(texts, locale).replace('{number}', String(number));

const anyDistance = labels('value.any_distance', 'Any distance');
const withinMiles = labels('value.miles', '{number} miles');
const withinOneDay = labels('value.day', 'Within a day');
const withinDays = labels('value.days', 'Within {number} days');

/** Label of a value of `within` in a locale; -1 sets no limit. */
export const withinLabel = (miles: number, locale: string): string =>
  miles === -1 ? labelIn(anyDistance, locale) : numbered(withinMiles, locale, miles);

/** Label of a value of `last_active` in a locale. */
export const daysLabel = (days: number, locale: string): string =>
  days === 1 ? labelIn(withinOneDay, locale) : numbered(withinDays, locale, days);
