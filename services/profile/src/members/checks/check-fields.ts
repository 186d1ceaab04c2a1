import {
  failureCodeOf,
  type WriteMode,
  checkValue,
  type StoredValue,
} from '@covalence/contract/catalogue/check-value';
import { fields, fieldByName } from '@covalence/contract/catalogue/fields';
import { failCodes } from '@covalence/contract/failure-codes';
import { ageOn } from '@covalence/contract/age';
import type { Field } from '@covalence/contract/catalogue/field';
import type { Site } from '@covalence/contract/sites';

/** The failure code of each failed parameter, by its name. */
export type FailedParameters = Map<string, number>;

/** Parameters of POST /members beside the fields of the catalogue; the interface lists them after last_name. */
const referral = ['affiliateid', 'subid'];

/** The interface's order of an update; the other fields follow as the catalogue has them. */
const updateFirst = [
  'about_me',
  'deactivated',
  'reason_id',
  'display_name_preference',
  'headline',
  'online',
  'searchable',
  'world_plus',
];

const catalogueOrder = fields.map(({ name }) => name);

const orders: Record<WriteMode, readonly string[]> = {
  register: catalogueOrder.flatMap((name) => (name === 'last_name' ? [name, ...referral] : [name])),
  update: [...updateFirst, ...catalogueOrder.filter((name) => !updateFirst.includes(name))],
};

/** The codes in the order of the operation's parameter table; unknown fields come last. */
export function orderedCodes(failed: FailedParameters, mode: WriteMode): number[] {
  const order = orders[mode];
  const rank = (name: string, code: number) => {
    const place = order.indexOf(name);
    return code === failCodes.unknownField || place === -1 ? order.length : place;
  };
  return [...failed].sort((one, other) => rank(...one) - rank(...other)).map(([, code]) => code);
}

/** The codes of bad values of every field that an operation takes, and further ones, ascending. */
export function fieldCodes(mode: WriteMode, ...further: readonly number[]): number[] {
  const taken = fields.filter(({ only }) => !only || only === mode);
  const codes = new Set([
    ...taken.map((field) => failureCodeOf(field, mode)),
    failCodes.unknownField,
    ...further,
  ]);
  return [...codes].sort((one, other) => one - other);
}

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

function checkAge({ values, failed }: CheckedFields, mode: WriteMode, site: Site, now: Date): void {
  const { date_of_birth } = values;
  if (typeof date_of_birth !== 'string') return;
  if (ageOn(date_of_birth, now) < site.minimum_age) failed.set('date_of_birth', tooYoung[mode]);
}

/** Fields that a request has both or none of. */
export const pairs = [
  ['agefrom', 'ageto'],
  ['latitude', 'longitude'],
];

/** A pair of which one is missing: the missing one's code. */
function checkPairs(parameters: object, { failed }: CheckedFields, mode: WriteMode): void {
  for (const names of pairs) {
    const missing = names.filter((name) => !(name in parameters));
    if (missing.length === 1) for (const name of missing) failed.set(name, codeOfField(name, mode));
  }
}

/** The lower age comes first, and both are cleared together. */
function checkAgeRange({ values: { agefrom, ageto }, failed }: CheckedFields): void {
  if (typeof agefrom === 'number' && ageto === null) failed.set('ageto', failCodes.valueNotListed);
  if (typeof ageto !== 'number') return;
  if (agefrom === null || (typeof agefrom === 'number' && agefrom > ageto))
    failed.set('agefrom', failCodes.valueNotListed);
}

/** Checks every field of a request, by canonical name: bad values, unknown fields (10000), pairs and the minimum age. */
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
  checkPairs(parameters, checked, mode);
  checkAgeRange(checked);
  return checked;
}
