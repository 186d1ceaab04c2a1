import type { Field, FieldCriterion, FieldKind, FieldValue } from './field.ts';
import { labels, type InFourLocales } from './labels.ts';
import { neighboring } from './scales.ts';

/** A general criterion. */
export const general = (
  tier: FieldCriterion['tier'],
  weight: number,
  extra: Partial<FieldCriterion> = {},
): FieldCriterion => ({ form: 'general', tier, weight, ...extra });

/** Makes neighbors of the wanted value count half. `length` excludes unordered values at the end. */
export const ordered = (length: number): Partial<FieldCriterion> => ({
  neighbors: neighboring(length, 0.5),
});

/** A coded trait of the basic group. */
export const trait = (
  name: string,
  label: InFourLocales,
  values: readonly FieldValue[],
  criterion: FieldCriterion,
  kind: FieldKind = 'choice',
): Field => ({ name, group: 'basic', kind, labels: labels(...label), values, criterion });

/** Fields of the basic group. */
export const basicFields = (fields: readonly Omit<Field, 'group'>[]): readonly Field[] =>
  fields.map((field) => ({ ...field, group: 'basic' }));
