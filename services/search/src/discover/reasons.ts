import { fieldByName } from '@covalence/contract/catalogue/fields';
import { criteria } from '@covalence/contract/catalogue/criteria';
import type { Sites } from '@covalence/contract/sites';
import { candidateOf } from '../predicates/criterion-predicates.ts';
import type { VisibleSource } from '../index/member-document.ts';
import { shownAnswers } from '../searches/shown-answers.ts';
import type { Preferences } from './preferences.ts';

/** Answers that are no texts, the weightiest first. */
const explainable: ReadonlySet<string> = new Set(
  criteria
    .filter(({ text }) => !text)
    .toSorted((one, other) => other.weight - one.weight)
    .flatMap(({ field }) => field ?? []),
);

/** Interests in common are those that both have, not those that neither has. */
const leastLiking = 30;

const mostReasons = 5;

function haveInCommon(field: string, own: VisibleSource['traits'], other: VisibleSource['traits']): boolean {
  const { group, values } = fieldByName(field) ?? {};
  const theirs = [other[field] ?? []].flat();
  const common = [own[field] ?? []].flat().filter((value) => theirs.includes(value));
  if (group === 'interest') return common.some((value) => Number(value) >= leastLiking);
  return values !== undefined && common.length > 0;
}

/**
 * Names of the fields that speak for a member: answers that both show to everyone and that agree, or that
 * meet the viewer's own match criteria. The other member's criteria do not matter.
 */
export function reasonsOf(
  own: VisibleSource,
  { wanted }: Preferences,
  other: VisibleSource,
  { sites, now }: { readonly sites: Sites; readonly now: Date },
): string[] {
  const answered = [...explainable].filter((field) => field in own.traits && field in other.traits);
  const shown = shownAnswers(shownAnswers(answered, own.siteid, { sites }), other.siteid, { sites });
  const candidate = candidateOf(other, now);
  const isWanted = (field: string) =>
    wanted.some((preference) => preference.field === field && preference.predicate(candidate));
  return shown
    .filter((field) => isWanted(field) || haveInCommon(field, own.traits, other.traits))
    .slice(0, mostReasons);
}
