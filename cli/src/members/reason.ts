import { canonicalName, fieldByName } from '@covalence/contract/catalogue/fields';
import type { Field } from '@covalence/contract/catalogue/field';
import { failCodes, failureCode } from '@covalence/contract/failure-codes';
import type { importMembers } from '@covalence/contract/peers/profile-api';
import { userStatuses } from '@covalence/contract/record';
import type { z } from 'zod';

type Refused = z.output<typeof importMembers.output>['refused'][number];

/** Choices that fit on a line. */
const shownChoices = 40;

const codesIn = ({ values = [] }: Field) => values.map(({ code }) => code);

const rangeOf = ({ limits: { min, max } = {} }: Field, unit = '') => {
  if (min !== undefined && max !== undefined) return `${min} to ${max}${unit}`;
  return max === undefined ? undefined : `at most ${max}${unit}`;
};

/** Valid values by kind of field; kinds without an entry use the meaning of their failure code. */
const allowedBy: Partial<Record<Field['kind'], (field: Field) => string | undefined>> = {
  text: (field) => rangeOf(field, ' characters'),
  integer: (field) => rangeOf(field),
  number: (field) => rangeOf(field),
  boolean: () => 'true or false',
  country: () => 'an ISO 3166-1 code of two letters',
  date: () => 'MM/DD/YYYY or YYYY-MM-DD',
  choice: (field) => codesIn(field).slice(0, shownChoices).join(', '),
  choices: (field) => `any of ${codesIn(field).slice(0, shownChoices).join(', ')}`,
  keyword: (field) => codesIn(field).join(', '),
};

const ofImports: Readonly<Record<string, string>> = {
  userstatus: userStatuses.join(', '),
  date_registered: 'ISO 8601, 1990 or later and not in the future',
  last_seen: 'ISO 8601, 1990 or later and not in the future',
  password: 'password_hash as argon2id or bcrypt, never a password',
};

/** Valid values of a parameter, if the code means a bad value; undefined if a few words cannot say them. */
function allowedIn(name: string, code: number): string | undefined {
  const field = fieldByName(name);
  if (!field) return ofImports[name];
  const isBadValue = [field.codes?.register, field.codes?.update, failCodes.valueNotListed].includes(code);
  return ofImports[name] ?? (isBadValue ? allowedBy[field.kind]?.(field) : undefined);
}

const meaningOf = (code: number) => failureCode(code)?.meaning ?? String(code);

/** Why a line was refused: each bad parameter with what is allowed, or what its code means. */
export function reasonOf({ failcode, failed }: Refused, parameters: object): string {
  if (!failcode.length) return 'unknown siteid';
  const given = new Set(Object.keys(parameters).map(canonicalName));
  const ofFields = Object.entries(failed).map(([name, code]) => {
    const isMissing = !given.has(name) && ofImports[name] === undefined;
    return `${name}: ${isMissing ? 'required' : (allowedIn(name, code) ?? meaningOf(code))}`;
  });
  const named = new Set(Object.values(failed));
  return [...ofFields, ...failcode.filter((code) => !named.has(code)).map(meaningOf)].join('; ');
}
