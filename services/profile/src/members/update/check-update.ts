import type { StoredValue } from '@covalence/contract/catalogue/check-value';
import { failCodes } from '@covalence/contract/failure-codes';
import { isPostalCode } from '@covalence/contract/postal-code';
import type { Site } from '@covalence/contract/sites';
import { textOf } from '../document/member-values.ts';
import type { Member } from '../document/member.ts';
import { movedPlace } from '../places/complete-place.ts';
import { checkFields, codeOfField, type CheckedFields } from '../checks/check-fields.ts';

type Parameters = Readonly<Record<string, unknown>>;

const places = ['city', 'state', 'zip'] as const;

/** Requires both coordinates, or a country (the member's own by default) with at least one of city, state and zip. */
function checkPlace(sent: Parameters, member: Member, { values, failed }: CheckedFields): void {
  if ('latitude' in sent || 'longitude' in sent) return;
  const namesPlace = places.some((name) => name in sent);
  const country = textOf(member, 'country');
  if (namesPlace && !('country' in sent) && !country) failed.set('country', codeOfField('country', 'update'));
  const moves = 'country' in values && values['country'] !== country;
  if (!moves || namesPlace) return;
  for (const name of places) failed.set(name, codeOfField(name, 'update'));
}

/** Whether a checked value differs from what the member has. */
export function differs(member: Member, name: string, value: StoredValue | undefined): boolean {
  return JSON.stringify(member.fields[name] ?? null) !== JSON.stringify(value ?? null);
}

/** The codes of limited changes that a member has used up. */
export const exceededCodes = {
  gender: failCodes.genderChangesExceeded,
  date_of_birth: failCodes.birthDateChangesExceeded,
} as const;

type LimitedField = keyof typeof exceededCodes;

/** The names of the limited fields. */
export const limitedFields = ['gender', 'date_of_birth'] as const satisfies readonly LimitedField[];

/** Whether a change of a limited field is one too many. */
export function exceeds(member: Member, name: LimitedField, value: StoredValue, site: Site): boolean {
  const limits = { gender: site.gender_changes, date_of_birth: site.dateofbirth_changes };
  return differs(member, name, value) && member.changes[name] >= limits[name];
}

/** A new postal code must have the format of its country (20301). A registration accepts any. */
function checkPostalCode({ values, failed }: CheckedFields, member: Member, country: StoredValue): void {
  const { zip } = values;
  if (typeof zip !== 'string' || typeof country !== 'string') return;
  const isNew = differs(member, 'zip', zip) || differs(member, 'country', country);
  if (isNew && !isPostalCode(zip, country)) failed.set('zip', codeOfField('zip', 'update'));
}

/** Checks a profile update, except whether username and e-mail are taken. */
export function checkUpdate(sent: Parameters, member: Member, site: Site, now: Date): CheckedFields {
  const checked = checkFields(sent, 'update', site, now);
  const { values, failed } = checked;
  for (const name of limitedFields) {
    const value = values[name];
    if (value !== undefined && !failed.has(name) && exceeds(member, name, value, site)) {
      failed.set(name, exceededCodes[name]);
    }
  }
  checkPlace(sent, member, checked);
  // Coordinates can imply another country.
  const { country = textOf(member, 'country') } = movedPlace({ ...member.fields }, values);
  checkPostalCode(checked, member, country);
  return checked;
}
