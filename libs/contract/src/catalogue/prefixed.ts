import type { Field, FieldCriterion, FieldGroup, FieldKind, FieldValue } from './field.ts';
import { labels, type InFourLocales } from './labels.ts';
import { neighboring, scale } from './scales.ts';

/** A field's name, then its label in the four locales. */
export type NamedRow = readonly [name: string, ...label: InFourLocales];

/** Properties that the fields of a group share. */
interface Shared {
  readonly kind: FieldKind;
  readonly values?: readonly FieldValue[];
  readonly limits?: Field['limits'];
  readonly criterion?: FieldCriterion;
}

/** The fields of one prefix group, one per row; the rows' names have no prefix. */
export function prefixed(
  prefix: string,
  group: FieldGroup,
  shared: Shared,
  rows: readonly NamedRow[],
): Field[] {
  return rows.map(([name, ...label]) => ({
    name: `${prefix}_${name}`,
    group,
    labels: labels(...label),
    ...shared,
  }));
}

/** A choice on an ordered scale with a platinum criterion; neighbors of the wanted value count half. */
export function orderedChoice(...steps: readonly InFourLocales[]): Shared {
  const neighbors = neighboring(steps.length, 0.5);
  return {
    kind: 'choice',
    values: scale(...steps),
    criterion: { form: 'general', tier: 'platinum', weight: 1, neighbors },
  };
}

/** Creates fields with an ordered scale: the whole name with its label, then the steps. */
export const orderedField =
  (group: FieldGroup) =>
  ([name, ...label]: NamedRow, ...steps: readonly InFourLocales[]): Field => ({
    name,
    group,
    labels: labels(...label),
    ...orderedChoice(...steps),
  });
