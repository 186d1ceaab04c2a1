import type { Field, FieldCriterion, FieldGroup, FieldValue } from './field.ts';
import { labels } from './labels.ts';

/** A field with its English label; `fieldsOf` adds the translations. */
interface Definition extends Omit<Field, 'group' | 'labels'> {
  readonly label: string;
}

/** Properties that several fields share. */
type Shared = Pick<Field, 'kind' | 'values' | 'limits' | 'criterion'>;

/** The fields of a group in every language. */
export const fieldsOf = (group: FieldGroup, definitions: readonly Definition[]): readonly Field[] =>
  definitions.map(({ label, ...field }) => ({
    ...field,
    group,
    labels: labels(`field.${field.name}`, label),
  }));

/** The fields of one prefix group by name without the prefix, with their English labels. */
export const prefixed = (
  prefix: string,
  group: FieldGroup,
  shared: Shared,
  rows: Readonly<Record<string, string>>,
): readonly Field[] =>
  fieldsOf(
    group,
    Object.entries(rows).map(([name, label]) => ({ name: `${prefix}_${name}`, label, ...shared })),
  );

/** Values with codes in steps, 10, 20, 30 … by default; `name` is that of the field, or of a shared scale. */
export const scale = (
  name: string,
  texts: readonly string[],
  step = 10,
): readonly (FieldValue & { readonly code: number })[] =>
  texts.map((text, index) => {
    const code = (index + 1) * step;
    return { code, labels: labels(`choice.${name}.${code}`, text) };
  });

/** Values with words as codes. */
export const keywords = (name: string, texts: Readonly<Record<string, string>>): readonly FieldValue[] =>
  Object.entries(texts).map(([code, text]) => ({ code, labels: labels(`choice.${name}.${code}`, text) }));

/** A general criterion. */
export const general = (
  tier: FieldCriterion['tier'],
  weight: number,
  extra: Partial<FieldCriterion> = {},
): FieldCriterion => ({ form: 'general', tier, weight, ...extra });

/** Makes neighbors of the wanted value count half. `length` excludes unordered values at the end. */
export function ordered(length: number): Pick<FieldCriterion, 'neighbors'> {
  const codes = Array.from({ length }, (_, index) => (index + 1) * 10);
  const beside = (code: number) => codes.filter((other) => Math.abs(other - code) === 10);
  const creditsOf = (code: number) => Object.fromEntries(beside(code).map((other) => [other, 0.5]));
  return { neighbors: Object.fromEntries(codes.map((code) => [code, creditsOf(code)])) };
}

/** A coded trait of the basic group. */
export const trait = (
  name: string,
  label: string,
  values: readonly string[],
  criterion: FieldCriterion,
  kind: 'choice' | 'choices' = 'choice',
): Definition => ({ name, kind, label, values: scale(name, values), criterion });

/** A choice on an ordered scale with a platinum criterion; neighbors of the wanted value count half. */
export const orderedChoice = (name: string, steps: readonly string[]): Shared => ({
  kind: 'choice',
  values: scale(name, steps),
  criterion: general('platinum', 1, ordered(steps.length)),
});

/** A field with an ordered scale of its own. */
export const orderedField = (name: string, label: string, steps: readonly string[]): Definition => ({
  name,
  label,
  ...orderedChoice(name, steps),
});
