import { criteria, criterionByName, type Criterion } from '@covalence/contract/catalogue/criteria';
import { failCodes } from '@covalence/contract/failure-codes';
import { sumOf } from '@covalence/runtime/sum';
import {
  parseForm,
  type FormContext,
  type Parameters,
  type ParsedForm,
  type PostalCountries,
} from './parse-forms.ts';
import type { Searcher } from './searcher.ts';

/** Failure codes of criteria. */
export const criterionCodes = [
  failCodes.criterionNotMap,
  failCodes.criterionWithoutValue,
  failCodes.rangeInvalid,
  failCodes.ageOutOfRange,
  failCodes.locationInvalid,
  failCodes.withinForPlatinumOnly,
  failCodes.criterionForPlatinumOnly,
  failCodes.criterionValueInvalid,
  failCodes.criterionCountryInvalid,
  failCodes.criterionZipInvalid,
];

/** The valid criteria of a search, and the failure codes of the others in the order of their checks. */
export type ParsedSearch = ReturnType<typeof parseSearch>;

/** A search may have only one of these (31013). */
const places = ['zipcode', 'state', 'location'];

/** Whether the searcher's site has a criterion: it has none of a field that it rejects. */
export const isKnown = (
  criterion: Criterion | undefined,
  { zodiac, rejected }: Searcher,
): criterion is Criterion =>
  criterion !== undefined &&
  (zodiac || !criterion.zodiac) &&
  !rejected.includes(criterion.field ?? criterion.name);

/** The codes that concern a whole search: 31012 and 31013. */
export const wholeCodes = (parameters: Parameters): { lacking: number[]; tooMany: number[] } => ({
  lacking: 'age' in parameters ? [] : [failCodes.ageMissing],
  tooMany: places.filter((name) => name in parameters).length > 1 ? [failCodes.placeCriteriaConflict] : [],
});

/** One 31009 for each name that the catalogue or the searcher's site does not know. */
export const unknownCodes = (parameters: Parameters, searcher: Searcher): number[] =>
  Object.keys(parameters)
    .filter((name) => !isKnown(criterionByName(name), searcher))
    .map(() => failCodes.criterionValueInvalid);

/** Characters that the text criteria of one search may have in total. */
export const longestTexts = 500;

/** 31009 if the texts of a search are too long in total: each word is matched with typos, which costs time and memory. */
export function textCodes(texts: readonly string[]): number[] {
  const length = sumOf(texts, (text) => Array.from(text).length);
  return length > longestTexts ? [failCodes.criterionValueInvalid] : [];
}

const textsOf = (query: ParsedForm): readonly string[] =>
  typeof query === 'object' && query.form === 'general' && query.criterion.text ? query.values : [];

/** Returns the countries that a postal code in these criteria may belong to. */
export function postalCountriesOf(parameters: Parameters, searcher: Searcher): PostalCountries {
  const country = criterionByName('country');
  const context = { searcher, postalCountries: [] };
  const parsed = country && parseForm(country, parameters['country'], context);
  return typeof parsed === 'object' && parsed.form === 'general' ? parsed.values : [searcher.country];
}

const placeOf = new Map(criteria.map((criterion, place) => [criterion, place]));

/** Few of the catalogue's criteria are given, and a feed parses the criteria of many members. */
const parseKnown = (parameters: Parameters, context: FormContext): ParsedForm[] =>
  Object.keys(parameters)
    .map(criterionByName)
    .filter((criterion) => isKnown(criterion, context.searcher))
    // A non-subscriber's platinum-only criteria are silently ignored.
    .filter(({ tier }) => tier === 'basic' || context.searcher.platinum)
    .toSorted((one, other) => (placeOf.get(one) ?? 0) - (placeOf.get(other) ?? 0))
    .map((criterion) => parseForm(criterion, parameters[criterion.name], context));

/**
 * Checks the criteria of a search. The codes are one per invalid criterion in the order of the catalogue, then 31009 for unknown names
 * and for too much text, then 31013.
 */
export function parseSearch(parameters: Parameters, searcher: Searcher) {
  const postalCountries = postalCountriesOf(parameters, searcher);
  const parsed = parseKnown(parameters, { searcher, postalCountries });
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
