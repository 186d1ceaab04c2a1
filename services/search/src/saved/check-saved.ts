import { isBlank } from '@covalence/contract/blank';
import { storedText } from '@covalence/contract/catalogue/check-value';
import { criterionByName } from '@covalence/contract/catalogue/criteria';
import { failCodes } from '@covalence/contract/failure-codes';
import type { StoredCriteria } from '../criteria/stored-criteria.ts';
import { changedCriteria, parseStoredChange } from '../criteria/stored-criteria.ts';
import type { Parameters, Searcher } from '../criteria/parse-forms.ts';
import { textCodes, wholeCodes } from '../criteria/parse-search.ts';

const longestName = 32;

/** A saved search's name as it is kept, or its failure code: 20222 where there is none, 20223 empty or too long. */
export function checkName(name: unknown): string | number {
  if (name === undefined || name === null) return failCodes.searchNameMissing;
  const text = storedText(name);
  if (text === undefined) return failCodes.searchNameLength;
  const fits = !isBlank(text) && Array.from(text).length <= longestName && !text.includes('\0');
  return fits ? text : failCodes.searchNameLength;
}

/** The criteria of a saved search after a change, and the codes of what is wrong with them. */
export interface CheckedCriteria {
  readonly criteria: StoredCriteria;
  readonly failcodes: readonly number[];
}

const textsOf = (criteria: StoredCriteria): string[] =>
  Object.entries(criteria).flatMap(([name, { value = '', values = [] }]) =>
    criterionByName(name)?.text ? [value, ...values].map(String) : [],
  );

/** Checks the criteria of a saved search: each as a stored one, and the whole as a search (31012, 31013, texts). */
export function checkSaved(
  parameters: Parameters,
  kept: StoredCriteria,
  searcher: Searcher,
): CheckedCriteria {
  const change = parseStoredChange(parameters, kept, searcher);
  const criteria = changedCriteria(kept, change);
  // One that failed was given all the same: its own code is enough.
  const named = Object.entries(parameters).filter(([name]) => !change.removed.includes(name));
  const { lacking, tooMany } = wholeCodes({ ...criteria, ...Object.fromEntries(named) });
  return {
    criteria,
    failcodes: [...lacking, ...change.failcodes, ...textCodes(textsOf(criteria)), ...tooMany],
  };
}
