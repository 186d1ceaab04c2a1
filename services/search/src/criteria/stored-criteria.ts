import { parseNumber } from '@covalence/contract/catalogue/check-value';
import { criteria, type Criterion } from '@covalence/contract/catalogue/criteria';
import { failCodes } from '@covalence/contract/failure-codes';
import { isPresent } from '@covalence/contract/parameters';
import { z } from 'zod';
import {
  lowerNames,
  parseForm,
  valuesIn,
  type FormContext,
  type GeneralQuery,
  type Parameters,
  type QueryCriterion,
} from './parse-forms.ts';
import { isKnown, postalCountriesOf, unknownCodes } from './parse-search.ts';
import type { Searcher } from './searcher.ts';

const value = z.union([z.string(), z.number()]);

const storedForm = z.strictObject({
  value: value.optional(),
  values: z.array(value).optional(),
  from: z.number().optional(),
  to: z.number().optional(),
  within: z.number().optional(),
  of: z.string().optional(),
});

/** Stored criteria by name, each in the form that a search takes. */
export const storedCriteria = z.record(z.string(), storedForm).meta({ id: 'SearchCriteria' });

type StoredForm = z.infer<typeof storedForm>;

/** Stored criteria by name. */
export type StoredCriteria = z.infer<typeof storedCriteria>;

/** The criteria of a document that have a form of today. */
export const readableCriteria = (criteria: Readonly<Record<string, unknown>>): StoredCriteria =>
  Object.fromEntries(
    Object.entries(criteria).flatMap(([name, form]) => {
      const { data } = storedForm.safeParse(form);
      return data ? [[name, data]] : [];
    }),
  );

/** A checked change of stored criteria; codes are in the order of their checks. */
export interface StoredChange {
  readonly set: StoredCriteria;
  readonly removed: readonly string[];
  readonly failcodes: readonly number[];
}

/** Spells a valid value as the catalogue does. */
const spelled = ({ codes }: Criterion, text: string) =>
  codes?.find((code) => String(code).toLowerCase() === text.toLowerCase()) ?? text;

/** Postal codes are stored as they were sent, because their key in the index need not be valid. */
function storedGeneral(query: GeneralQuery, map: Parameters): StoredForm {
  const isZip = query.criterion.name === 'zipcode';
  const texts = isZip ? valuesIn(map).map((one) => String(one).trim()) : query.values;
  const values = texts.map((text) => spelled(query.criterion, text));
  const [only] = values;
  return isPresent(map['values']) || only === undefined ? { values } : { value: only };
}

const numberAt = (map: Parameters, name: 'from' | 'to' | 'within'): StoredForm => {
  const number = isPresent(map[name]) ? parseNumber(map[name]) : undefined;
  return number === undefined ? {} : { [name]: number };
};

/** The stored form of a valid criterion: what was sent, in the catalogue's spelling; open ends stay open. */
function storedOf(query: QueryCriterion, sent: unknown): StoredForm {
  const map = lowerNames(sent as Parameters);
  if (query.form === 'general') return storedGeneral(query, map);
  if (query.form === 'range') return { ...numberAt(map, 'from'), ...numberAt(map, 'to') };
  return { ...numberAt(map, 'within'), ...(isPresent(map['of']) && { of: String(map['of']).trim() }) };
}

/** null removes a criterion, and so does an empty text, because forms have no null. */
const isRemoval = (sent: unknown) => sent === null || sent === '';

function parseOne(criterion: Criterion, sent: unknown, context: FormContext): StoredForm | number {
  // A search would ignore it.
  if (criterion.tier === 'platinum' && !context.searcher.platinum) return failCodes.criterionForPlatinumOnly;
  const parsed = parseForm(criterion, sent, context);
  return typeof parsed === 'number' ? parsed : storedOf(parsed, sent);
}

/**
 * Checks a change of stored criteria. The codes are one per invalid criterion in the order of the catalogue, then 31009 for unknown
 * names. Criteria that the change does not name are not checked.
 */
export function parseStoredChange(
  parameters: Parameters,
  stored: StoredCriteria,
  searcher: Searcher,
): StoredChange {
  const postalCountries = postalCountriesOf({ ...stored, ...parameters }, searcher);
  const named = criteria.filter(({ name }) => Object.hasOwn(parameters, name));
  const known = named.filter((criterion) => isKnown(criterion, searcher));
  const removed = named.map(({ name }) => name).filter((name) => isRemoval(parameters[name]));
  const parsed = known
    .filter(({ name }) => !removed.includes(name))
    .map((one) => [one.name, parseOne(one, parameters[one.name], { searcher, postalCountries })] as const);
  const failed = parsed.flatMap(([, form]) => (typeof form === 'number' ? [form] : []));
  const set = parsed.flatMap(([name, form]) => (typeof form === 'number' ? [] : [[name, form] as const]));
  const unknown = unknownCodes(without(parameters, removed), searcher);
  return { set: Object.fromEntries(set), removed, failcodes: [...failed, ...unknown] };
}

/** Returns criteria or parameters without those names. */
export const without = <Value>(values: Readonly<Record<string, Value>>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
