import { isForEveryone } from '@covalence/contract/answer-visibility';
import { answerByName } from '@covalence/contract/catalogue/answers';
import type { Criterion } from '@covalence/contract/catalogue/criteria';
import type { Site } from '@covalence/contract/sites';
import type { QueryCriterion } from '../criteria/parse-forms.ts';

/** The recorded part of a criterion; `true` for its name alone. */
export type RecordedCriterion =
  | true
  | { readonly values: readonly string[] }
  | { readonly from: number; readonly to: number }
  | { readonly within: number }
  | { readonly count: number };

/** The recorded parts of criteria, by name; `others` counts those without a name. */
export type RecordedCriteria = Readonly<Record<string, RecordedCriterion>>;

/** Ranges are widened to whole steps, years and centimeters alike. */
const rangeStep = 10;

/** Distances are rounded up to one of these, miles; -1 for all others. */
const distanceClasses = [50, 150, 500];

/** With more answers, a value is not recorded: few searches would have it. */
const fewAnswers = 6;

/**
 * A search names so many criteria, and has the values of the first of them. The more a search says, the fewer members make it: who knows
 * one, or sees it among the saved searches, would find its rows.
 */
const most = { named: 4, withValues: 3 };

/** Come first; the others follow by name. */
const leading = ['age', 'location', 'height'];

/** Answers that are sensitive or hidden on the site are not even named. */
function isHidden({ field = '' }: Criterion, site: Site): boolean {
  const answer = answerByName(field);
  return answer !== undefined && (answer.visibility === 'owner' || !isForEveryone(answer, site));
}

function classOf(query: QueryCriterion): RecordedCriterion {
  if (query.form === 'range') {
    const { from, to, criterion } = query;
    const [lowest, highest] = criterion.bounds ?? [-Infinity, Infinity];
    return {
      from: Math.max(lowest, Math.floor(from / rangeStep) * rangeStep),
      to: Math.min(highest, Math.ceil(to / rangeStep) * rangeStep),
    };
  }
  // Never the place from which it is measured.
  if (query.form === 'geolocation') {
    return { within: distanceClasses.find((miles) => (query.miles ?? Infinity) <= miles) ?? -1 };
  }
  const { codes = [] } = query.criterion;
  // Of all other criteria, texts and places for instance, the name alone.
  const isCoarse = codes.length <= fewAnswers && query.values.length <= codes.length / 2;
  return isCoarse ? { values: [...query.values].sort() } : true;
}

const rank = ({ criterion: { name } }: QueryCriterion): string =>
  leading.includes(name) ? `0${leading.indexOf(name)}` : `1${name}`;

/** The parts of a search's criteria to record. */
export function describeCriteria(criteria: readonly QueryCriterion[], site: Site): RecordedCriteria {
  const named = criteria
    .filter(({ criterion }) => !isHidden(criterion, site))
    .sort((one, other) => (rank(one) < rank(other) ? -1 : 1))
    .slice(0, most.named);
  const count = criteria.length - named.length;
  return {
    ...Object.fromEntries(
      named.map((query, index) => [query.criterion.name, index < most.withValues ? classOf(query) : true]),
    ),
    ...(count > 0 && { others: { count } }),
  };
}

function criterionText(name: string, criterion: RecordedCriterion): string {
  if (criterion === true) return name;
  if ('values' in criterion) return `${name}=${criterion.values.join('|')}`;
  if ('count' in criterion) return `${name}=${criterion.count}`;
  if ('within' in criterion) return `${name}<=${criterion.within}`;
  return `${name}=${criterion.from}-${criterion.to}`;
}

/** The class of searches that look for the same, as one line. */
export const classText = (criteria: RecordedCriteria, sortby: string): string =>
  [...Object.entries(criteria).map(([name, criterion]) => criterionText(name, criterion)), sortby].join(' ');
