import type { FieldCriterion } from './field.ts';
import { fields } from './fields.ts';

/** A search criterion: a field's own, or one derived from the member (age, location, photo …). */
export interface Criterion extends FieldCriterion {
  readonly name: string;
  /** The codes a general criterion allows; absent where any string or number goes. */
  readonly codes?: readonly (string | number)[];
}

const fieldCriteria: Criterion[] = fields.flatMap(({ name, kind, values, criterion }) => {
  if (!criterion) return [];
  const codes = kind === 'boolean' ? [true, false].map(String) : values?.map(({ code }) => code);
  return [{ name, ...criterion, ...(codes && { codes }) }];
});

/** Criteria that no single field holds (D31, D37). */
const derivedCriteria: readonly Criterion[] = [
  { name: 'age', form: 'range', tier: 'basic', weight: 4, hard: true, bounds: [18, 120] },
  { name: 'location', form: 'geolocation', tier: 'basic', weight: 3 },
  { name: 'zipcode', form: 'general', tier: 'basic', weight: 2, hard: true },
  { name: 'photo', form: 'general', tier: 'basic', weight: 1, preference: true, codes: ['true', 'false'] },
  { name: 'new', form: 'general', tier: 'basic', weight: 1, codes: ['true', 'false'] },
];

/** Every criterion that a search may name, derived ones first (spec 4.6, D37). */
export const criteria: readonly Criterion[] = [...derivedCriteria, ...fieldCriteria];

const byName = new Map(criteria.map((criterion) => [criterion.name, criterion]));

/** The criterion of a canonical name, or undefined where the catalogue has none (31009). */
export function criterionByName(name: string): Criterion | undefined {
  return byName.get(name);
}
