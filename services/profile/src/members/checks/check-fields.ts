import { ageOn } from '@covalence/contract/age';
import {
  checkValue,
  failureCodeOf,
  type StoredValue,
  type WriteMode,
} from '@covalence/contract/catalogue/check-value';
import type { Field } from '@covalence/contract/catalogue/field';
import { fieldByName } from '@covalence/contract/catalogue/fields';
import { failCodes } from '@covalence/contract/failure-codes';
import type { Site } from '@covalence/contract/sites';
import type { FailedParameters } from './failure-codes.ts';

/** Checked values by canonical field name; null clears a field. */
export type CheckedValues = Record<string, StoredValue>;

/** The result of checking the fields of a request. */
export interface CheckedFields {
  readonly values: CheckedValues;
  readonly failed: FailedParameters;
}

/** A text among checked values, or undefined. */
export function textIn(values: CheckedValues, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

/** The field of a name, if the site and the operation accept it. */
function knownField(name: string, mode: WriteMode, site: Site): Field | undefined {
  const field = fieldByName(name);
  const allowed = field && (!field.only || field.only === mode) && !site.rejected_fields.includes(name);
  return allowed ? field : undefined;
}

/** The failure code of a field's bad or missing value. */
export function codeOfField(name: string, mode: WriteMode): number {
  const field = fieldByName(name);
  return field ? failureCodeOf(field, mode) : failCodes.unknownField;
}

const tooYoung: Record<WriteMode, number> = {
  register: failCodes.ageBelowMinimum,
  update: failCodes.updatedAgeBelowMinimum,
};

/** The minimum age of the site. */
function checkAge({ values, failed }: CheckedFields, mode: WriteMode, site: Site, now: Date): void {
  const { date_of_birth } = values;
  if (typeof date_of_birth !== 'string') return;
  if (ageOn(date_of_birth, now) < site.minimum_age) failed.set('date_of_birth', tooYoung[mode]);
}

/** agefrom and ageto come as a pair, the lower one first. */
function checkAgeRange(parameters: object, { values, failed }: CheckedFields): void {
  const given = ['agefrom', 'ageto'].filter((name) => name in parameters);
  if (given.length === 1) failed.set(given[0] === 'agefrom' ? 'ageto' : 'agefrom', failCodes.valueNotListed);
  const { agefrom, ageto } = values;
  if (typeof agefrom === 'number' && typeof ageto === 'number' && agefrom > ageto) {
    failed.set('agefrom', failCodes.valueNotListed);
  }
}

/** Latitude and longitude come as a pair: the missing one's code. */
function checkCoordinates(parameters: object, { failed }: CheckedFields, mode: WriteMode): void {
  const given = ['latitude', 'longitude'].filter((name) => name in parameters);
  if (given.length !== 1) return;
  const missing = given[0] === 'latitude' ? 'longitude' : 'latitude';
  failed.set(missing, codeOfField(missing, mode));
}

/**
 * Checks every field of a request against the catalogue and the site, each independently of the others: bad values,
 * unknown fields (10000), pairs and the minimum age. `parameters` have canonical names.
 */
export function checkFields(
  parameters: Readonly<Record<string, unknown>>,
  mode: WriteMode,
  site: Site,
  now: Date,
): CheckedFields {
  const checked: CheckedFields = { values: {}, failed: new Map() };
  for (const [name, value] of Object.entries(parameters)) {
    const field = knownField(name, mode, site);
    const result = field && checkValue(field, value, mode);
    if (result?.valid) checked.values[name] = result.value;
    else checked.failed.set(name, field ? failureCodeOf(field, mode) : failCodes.unknownField);
  }
  checkAge(checked, mode, site, now);
  checkAgeRange(parameters, checked);
  checkCoordinates(parameters, checked, mode);
  return checked;
}
