import { parseNumber } from '@covalence/contract/catalogue/check-value';
import { criteria, type Criterion } from '@covalence/contract/catalogue/criteria';
import { failCodes } from '@covalence/contract/failure-codes';
import { isGiven } from '@covalence/contract/parameters';
import { z } from 'zod';
import {
  asList,
  lowerNames,
  parseForm,
  type FormContext,
  type Parameters,
  type Searcher,
} from './parse-forms.ts';
import { isKnown, postalCountriesOf, unknownCodes } from './parse-search.ts';
import type { QueryCriterion } from './query-criterion.ts';

const value = z.union([z.string(), z.number()]);

const storedForm = z.strictObject({
  value: value.optional(),
  values: z.array(value).optional(),
  from: z.number().optional(),
  to: z.number().optional(),
  within: z.number().optional(),
  of: z.string().optional(),
});

/** Criteria as they are kept and given back: by name, each in the form that a search takes. */
export const storedCriteria = z.record(z.string(), storedForm).meta({ id: 'SearchCriteria' });

/** One criterion as it is kept. */
type StoredForm = z.infer<typeof storedForm>;

/** Criteria as they are kept. */
export type StoredCriteria = z.infer<typeof storedCriteria>;

/** What a change of kept criteria comes to. */
export interface StoredChange {
  readonly set: StoredCriteria;
  readonly removed: readonly string[];
  /** In the order of their checks. */
  readonly failcodes: readonly number[];
}

/** A checked value as the catalogue spells it. */
const spelled = ({ codes }: Criterion, text: string) =>
  codes?.find((code) => String(code).toLowerCase() === text.toLowerCase()) ?? text;

/** A checked general criterion; postal codes as they were written, because the index' key of one need not be valid. */
function storedGeneral(query: QueryCriterion & { form: 'general' }, map: Parameters): StoredForm {
  const given = [map['value'], ...asList(map['values'])].filter(isGiven);
  const texts = query.criterion.name === 'zipcode' ? given.map((one) => String(one).trim()) : query.values;
  const values = texts.map((text) => spelled(query.criterion, text));
  const [only] = values;
  return isGiven(map['values']) || only === undefined ? { values } : { value: only };
}

const numberAt = (map: Parameters, name: 'from' | 'to' | 'within'): StoredForm => {
  const number = isGiven(map[name]) ? parseNumber(map[name]) : undefined;
  return number === undefined ? {} : { [name]: number };
};

/** What is kept of a checked criterion: what was given, spelled as the catalogue does; open ends stay open. */
function storedOf(query: QueryCriterion, given: unknown): StoredForm {
  const map = lowerNames(given as Parameters);
  if (query.form === 'general') return storedGeneral(query, map);
  if (query.form === 'range') return { ...numberAt(map, 'from'), ...numberAt(map, 'to') };
  return { ...numberAt(map, 'within'), ...(isGiven(map['of']) && { of: String(map['of']).trim() }) };
}

/** null removes a criterion, and so does an empty text, as forms cannot say null. */
const isRemoval = (given: unknown) => given === null || given === '';

function parseOne(criterion: Criterion, given: unknown, context: FormContext): StoredForm | number {
  // Kept criteria that would never count could only mislead.
  if (criterion.tier === 'platinum' && !context.searcher.platinum) return failCodes.criterionForPlatinumOnly;
  const parsed = parseForm(criterion, given, context);
  return typeof parsed === 'number' ? parsed : storedOf(parsed, given);
}

/**
 * Checks a change of kept criteria: one code per failed criterion in the order of the catalogue,
 * then 31009 for unknown names. What is not named stays as it is, unchecked.
 */
export function parseStoredChange(
  parameters: Parameters,
  kept: StoredCriteria,
  searcher: Searcher,
): StoredChange {
  const postalCountries = postalCountriesOf({ ...kept, ...parameters }, searcher);
  const named = criteria.filter(({ name }) => Object.hasOwn(parameters, name));
  const known = named.filter((criterion) => isKnown(criterion, searcher));
  const removed = named.map(({ name }) => name).filter((name) => isRemoval(parameters[name]));
  const parsed = known
    .filter(({ name }) => !removed.includes(name))
    .map((one) => [one.name, parseOne(one, parameters[one.name], { searcher, postalCountries })] as const);
  const failed = parsed.flatMap(([, form]) => (typeof form === 'number' ? [form] : []));
  const set = parsed.flatMap(([name, form]) => (typeof form === 'number' ? [] : [[name, form] as const]));
  const given = Object.fromEntries(Object.entries(parameters).filter(([name]) => !removed.includes(name)));
  return {
    set: Object.fromEntries(set),
    removed,
    failcodes: [...failed, ...unknownCodes(given, searcher)],
  };
}

/** Kept criteria after a change. */
export function changedCriteria(
  kept: StoredCriteria,
  { set, removed }: Pick<StoredChange, 'set' | 'removed'>,
): StoredCriteria {
  const stay = Object.entries(kept).filter(([name]) => !removed.includes(name));
  return { ...Object.fromEntries(stay), ...set };
}
