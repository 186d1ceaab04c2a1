import { failCodes } from '@covalence/contract/failure-codes';
import { isPresent } from '@covalence/contract/parameters';
import { placeNames, requiredFields } from '@covalence/contract/registration-fields';
import type { Site } from '@covalence/contract/sites';
import { nextVersion } from '@covalence/events/new-event';
import { redirectOf, type Affiliates } from '../../affiliates/affiliates.ts';
import { checkFields, codeOfField, type CheckedFields, type CheckedValues } from '../checks/check-fields.ts';
import { isStoredField, pick } from '../document/member-values.ts';
import type { FieldValue, FieldValues, Member } from '../document/member.ts';
import { completePlace } from '../places/complete-place.ts';

type RegistrationParameters = Readonly<Record<string, unknown>>;

/** The affiliate that referred a new member, and the affiliate's own id of the campaign. */
export interface Referral {
  readonly affiliateid?: string;
  readonly subid?: string;
}

/** A checked registration; where `failed` is not empty it must be refused. */
export type CheckedRegistration = ReturnType<typeof checkRegistration>;

const referralNames = ['affiliateid', 'subid'] as const;

const notFields = new Set<string>([
  'client_id',
  'client_secret',
  'platform',
  'device_name',
  'siteid',
  ...referralNames,
]);

const places = placeNames.filter((name) => name !== 'country');

/** Requires both coordinates, or a country and at least one of city, state and zip. */
function checkPlace(parameters: RegistrationParameters, { failed }: CheckedFields): void {
  if ('latitude' in parameters || 'longitude' in parameters) return;
  if (!('country' in parameters)) failed.set('country', codeOfField('country', 'register'));
  else if (!places.some((name) => name in parameters)) {
    for (const name of places) failed.set(name, codeOfField(name, 'register'));
  }
}

const longestReferral = 100;

/** Checks the affiliate that referred a new member: 10701 where `affiliates` has it as suspended. */
export function checkReferral(
  parameters: RegistrationParameters,
  { failed }: CheckedFields,
  affiliates: Affiliates,
): Referral {
  const referral: { affiliateid?: string; subid?: string } = {};
  for (const name of referralNames) {
    const value = parameters[name];
    if (!isPresent(value)) continue;
    const text = typeof value === 'number' ? String(value) : value;
    if (typeof text === 'string' && Array.from(text).length <= longestReferral) referral[name] = text;
    else failed.set(name, failCodes.valueNotListed);
  }
  if (redirectOf(affiliates.get(referral.affiliateid ?? '')))
    failed.set('affiliateid', failCodes.affiliateSuspended);
  return referral;
}

/** Checks the fields of a new member: values, required fields, the place. */
export function checkNewFields(
  sent: RegistrationParameters,
  site: Site,
  now: Date,
  required: readonly string[] = requiredFields,
): CheckedFields {
  const checked = checkFields(sent, 'register', site, now);
  for (const name of required) {
    if (!(name in sent)) checked.failed.set(name, codeOfField(name, 'register'));
  }
  checkPlace(sent, checked);
  return checked;
}

/** Checks a registration, except whether username and email are taken. Null means that a parameter is absent. */
export function checkRegistration(
  parameters: RegistrationParameters,
  site: Site,
  { affiliates, now }: { readonly affiliates: Affiliates; readonly now: Date },
  required: readonly string[] = requiredFields,
) {
  const sent = pick(parameters, (name, value) => !notFields.has(name) && value !== null);
  const checked = checkNewFields(sent, site, now, required);
  return { ...checked, referral: checkReferral(parameters, checked, affiliates) };
}

function storedFields(values: CheckedValues): FieldValues {
  return Object.fromEntries(
    Object.entries(values).filter(
      (entry): entry is [string, FieldValue] => entry[1] !== null && isStoredField(entry[0]),
    ),
  );
}

/** A new member document with a completed place; approved at once where the site reviews automatically. */
export function newMember(
  { id, memberId, site, referral }: { id: number; memberId: string; site: Site; referral?: Referral },
  values: CheckedValues,
  now: Date,
): Member {
  return {
    _id: id,
    member_id: memberId,
    siteid: site.siteid,
    version: nextVersion(undefined, now),
    joined: now,
    userstatus: site.review === 'automatic' ? 'approved' : 'new',
    fields: { world_plus: 'undecided', ...storedFields(completePlace(values)), searchable: true },
    pending: {},
    photos: [],
    membership: { status: 'none', autorenew: false, expires_at: null, version: 0 },
    presence: { last_seen: now, offline: values['online'] === false },
    deactivated: false,
    suspended: false,
    deleted: false,
    changes: { gender: 0, date_of_birth: 0 },
    ...referral,
  };
}
