import { isForEveryone } from '@covalence/contract/answer-visibility';
import { answerByName } from '@covalence/contract/catalogue/answers';
import type { Criterion } from '@covalence/contract/catalogue/criteria';
import type { Site } from '@covalence/contract/sites';
import type { QueryCriterion } from '../criteria/parse-forms.ts';

/** What is recorded of a criterion, in the form in which a search takes it; `true` for its name alone. */
export type RecordedCriterion =
  | true
  | { readonly values: readonly string[] }
  | { readonly from: number; readonly to: number }
  | { readonly within: number };

/** What is recorded of criteria, by name. */
export type RecordedCriteria = Readonly<Record<string, RecordedCriterion>>;

/** Ranges are widened to whole steps. */
const rangeStep = 5;

/** A longer list of values would recognize who sends it. */
const mostValues = 3;

/** Places smaller than a country are recorded by name. */
const placeNames = new Set(['state', 'zipcode']);

/** Whether only the name is recorded: of free texts, places, and answers that are sensitive or hidden on the site. */
function isByNameOnly({ name, field = '', text }: Criterion, site: Site): boolean {
  const answer = answerByName(field);
  return (
    text === true ||
    placeNames.has(name) ||
    (answer !== undefined && (answer.visibility === 'owner' || !isForEveryone(answer, site)))
  );
}

function recorded(query: QueryCriterion, site: Site): RecordedCriterion {
  if (isByNameOnly(query.criterion, site)) return true;
  if (query.form === 'range') {
    const { from, to, criterion } = query;
    const [lowest, highest] = criterion.bounds ?? [from, to];
    return {
      from: Math.max(lowest, Math.floor(from / rangeStep) * rangeStep),
      to: Math.min(highest, Math.ceil(to / rangeStep) * rangeStep),
    };
  }
  // Never the place from which it is measured.
  if (query.form === 'geolocation') return { within: query.miles ?? -1 };
  return query.values.length > mostValues ? true : { values: [...query.values].sort() };
}

/** What is recorded of the criteria of a search, in the order of their names. */
export function describeCriteria(criteria: readonly QueryCriterion[], site: Site): RecordedCriteria {
  return Object.fromEntries(
    criteria
      .map((query) => [query.criterion.name, recorded(query, site)] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

function criterionText(name: string, criterion: RecordedCriterion): string {
  if (criterion === true) return name;
  if ('values' in criterion) return `${name}=${criterion.values.join('|')}`;
  if ('within' in criterion) return `${name}<=${criterion.within}`;
  return `${name}=${criterion.from}-${criterion.to}`;
}

/** The class of searches that look for the same, as one line. */
export const classText = (criteria: RecordedCriteria, sortby: string): string =>
  [...Object.entries(criteria).map(([name, criterion]) => criterionText(name, criterion)), sortby].join(' ');
