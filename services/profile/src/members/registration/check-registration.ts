import { fields } from '@covalence/contract/catalogue/fields';
import { failCodes } from '@covalence/contract/failure-codes';
import { isGiven } from '@covalence/contract/parameters';
import type { Site } from '@covalence/contract/sites';
import { redirectOf, type Affiliates } from '../../affiliates/affiliates.ts';
import { checkFields, codeOfField, type CheckedFields } from '../checks/check-fields.ts';

/** A request's parameters by canonical name. */
export type RegistrationParameters = Readonly<Record<string, unknown>>;

/** The affiliate that referred a new member, and the affiliate's own id of the campaign. */
export interface Referral {
  readonly affiliateid?: string;
  readonly subid?: string;
}

/** A checked registration; where `failed` is not empty it must be refused. */
export interface CheckedRegistration extends CheckedFields {
  readonly referral: Referral;
}

const referralNames = ['affiliateid', 'subid'] as const;

/** Parameters of POST /members that are not fields of the member. */
const notFields = new Set<string>(['client_id', 'client_secret', 'platform', 'siteid', ...referralNames]);

/** Fields that a registration must have. */
export const requiredFields: readonly string[] = fields
  .filter(({ required }) => required)
  .map(({ name }) => name);

const places = ['city', 'state', 'zip'] as const;

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
  const given = referralNames.filter((name) => isGiven(parameters[name]));
  const texts = given.map((name) => {
    const value = parameters[name];
    return [name, typeof value === 'number' ? String(value) : value] as const;
  });
  for (const [name, text] of texts) {
    if (typeof text !== 'string' || Array.from(text).length > longestReferral)
      failed.set(name, failCodes.valueNotListed);
  }
  const origin = Object.fromEntries(texts) as Referral;
  if (redirectOf(affiliates.get(origin.affiliateid ?? '')))
    failed.set('affiliateid', failCodes.affiliateSuspended);
  return origin;
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

/** Checks a registration, except whether username and e-mail are taken. Null means that a parameter is absent. */
export function checkRegistration(
  parameters: RegistrationParameters,
  site: Site,
  { affiliates, now }: { readonly affiliates: Affiliates; readonly now: Date },
): CheckedRegistration {
  const sent = Object.fromEntries(
    Object.entries(parameters).filter(([name, value]) => !notFields.has(name) && value !== null),
  );
  const checked = checkNewFields(sent, site, now);
  return { ...checked, referral: checkReferral(parameters, checked, affiliates) };
}
