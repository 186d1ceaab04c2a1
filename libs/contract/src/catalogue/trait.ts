import type { Field, FieldCriterion, FieldKind, FieldValue } from './field.ts';
import { labels, type InFourLocales } from './labels.ts';
import { neighboring } from './scales.ts';

/** A general criterion of a tier with its weight. */
export const general = (
  tier: FieldCriterion['tier'],
  weight: number,
  extra: Partial<FieldCriterion> = {},
): FieldCriterion => ({ form: 'general', tier, weight, ...extra });

/** Values in an order: the one beside a wanted one counts half. `length` leaves out answers at the end that have no place in it. */
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
