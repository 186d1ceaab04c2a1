import { criteria, criterionByName, type Criterion } from '@covalence/contract/catalogue/criteria';
import { failCodes } from '@covalence/contract/failure-codes';
import {
  parseForm,
  type FormContext,
  type Parameters,
  type ParsedForm,
  type PostalCountries,
  type Searcher,
} from './parse-forms.ts';
import type { QueryCriterion } from './query-criterion.ts';

/** The criteria of a search, checked, and the failure codes of those that failed in the order of their checks. */
export interface ParsedSearch {
  readonly criteria: readonly QueryCriterion[];
  /** Countries that the search's postal code belongs to; null where the searcher has none. */
  readonly postalCountries: PostalCountries;
  readonly failcodes: readonly number[];
}

/** Only one of them may be given (31013). */
const places = ['zipcode', 'state', 'location'];

/** Whether the searcher's site has a criterion: none of a field that it rejects. */
export const isKnown = (
  criterion: Criterion | undefined,
  { zodiac, rejected }: Searcher,
): criterion is Criterion =>
  criterion !== undefined &&
  (zodiac || !criterion.zodiac) &&
  !rejected.includes(criterion.field ?? criterion.name);

/** The codes of what only a whole search can lack or have too much of: 31012 and 31013. */
export const wholeCodes = (parameters: Parameters): { lacking: number[]; tooMany: number[] } => ({
  lacking: 'age' in parameters ? [] : [failCodes.ageMissing],
  tooMany: places.filter((name) => name in parameters).length > 1 ? [failCodes.placeCriteriaConflict] : [],
});

/** One 31009 for each name that the catalogue, or the searcher's site, does not know. */
export const unknownCodes = (parameters: Parameters, searcher: Searcher): number[] =>
  Object.keys(parameters)
    .filter((name) => !isKnown(criterionByName(name), searcher))
    .map(() => failCodes.criterionValueInvalid);

/** Characters that the text criteria of one search may have in all. */
const longestTexts = 500;

/**
 * 31009 where the texts of a search are too long together: each of their words is looked for with its typos, which takes the
 * engine a millisecond and more, and thousands of them its memory.
 */
export function textCodes(texts: readonly string[]): number[] {
  const length = texts.reduce((sum, text) => sum + Array.from(text).length, 0);
  return length > longestTexts ? [failCodes.criterionValueInvalid] : [];
}

const textsOf = (query: ParsedForm): readonly string[] =>
  typeof query === 'object' && query.form === 'general' && query.criterion.text ? query.values : [];

/** Countries that a postal code of these criteria may belong to. */
export function postalCountriesOf(parameters: Parameters, searcher: Searcher): PostalCountries {
  const country = criterionByName('country');
  const context = { searcher, postalCountries: [] };
  const parsed = country && parseForm(country, parameters['country'], context);
  return typeof parsed === 'object' && parsed.form === 'general' ? parsed.values : [searcher.country];
}

const parseGiven = (parameters: Parameters, context: FormContext): ParsedForm[] =>
  criteria
    .filter((criterion) => criterion.name in parameters && isKnown(criterion, context.searcher))
    // A non-subscriber's platinum-only criteria are silently ignored.
    .filter(({ tier }) => tier === 'basic' || context.searcher.platinum)
    .map((criterion) => parseForm(criterion, parameters[criterion.name], context));

/**
 * Checks the criteria of a search: every parameter that is no control parameter. One code per failed
 * criterion in the order of the catalogue, then 31009 for names that it does not know and for texts that are too long together,
 * then 31013.
 */
export function parseSearch(parameters: Parameters, searcher: Searcher): ParsedSearch {
  const postalCountries = postalCountriesOf(parameters, searcher);
  const parsed = parseGiven(parameters, { searcher, postalCountries });
  const { lacking, tooMany } = wholeCodes(parameters);
  const failcodes = [
    ...lacking,
    ...parsed.filter((one) => typeof one === 'number'),
    ...unknownCodes(parameters, searcher),
    ...textCodes(parsed.flatMap(textsOf)),
    ...tooMany,
  ];
  return { criteria: parsed.filter((one) => typeof one === 'object'), postalCountries, failcodes };
}
