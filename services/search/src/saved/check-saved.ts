import { isBlank } from '@covalence/contract/blank';
import { storedText } from '@covalence/contract/catalogue/check-value';
import { criterionByName } from '@covalence/contract/catalogue/criteria';
import { failCodes } from '@covalence/contract/failure-codes';
import type { Parameters } from '../criteria/parse-forms.ts';
import { textCodes, wholeCodes } from '../criteria/parse-search.ts';
import type { Searcher } from '../criteria/searcher.ts';
import { parseStoredChange, without, type StoredCriteria } from '../criteria/stored-criteria.ts';

const longestName = 32;

/** Returns the stored form of a saved search's name, or its failure code: 20222 missing, 20223 empty or too long. */
export function checkName(name: unknown): string | number {
  if (name === undefined || name === null) return failCodes.searchNameMissing;
  const text = storedText(name);
  if (text === undefined) return failCodes.searchNameLength;
  const fits = !isBlank(text) && Array.from(text).length <= longestName && !text.includes('\0');
  return fits ? text : failCodes.searchNameLength;
}

const textsOf = (criteria: StoredCriteria): string[] =>
  Object.entries(criteria).flatMap(([name, { value = '', values = [] }]) =>
    criterionByName(name)?.text ? [value, ...values].map(String) : [],
  );

/**
 * Applies a change to the criteria of a saved search. Checks each changed criterion, and the result as a search (31012, 31013,
 * texts).
 */
export function checkSaved(
  parameters: Parameters,
  stored: StoredCriteria,
  searcher: Searcher,
): { criteria: StoredCriteria; failcodes: readonly number[] } {
  const { set, removed, failcodes } = parseStoredChange(parameters, stored, searcher);
  const criteria = { ...without(stored, removed), ...set };
  // An invalid criterion is not missing: its own code is enough.
  const { lacking, tooMany } = wholeCodes({ ...criteria, ...without(parameters, removed) });
  return { criteria, failcodes: [...lacking, ...failcodes, ...textCodes(textsOf(criteria)), ...tooMany] };
}
