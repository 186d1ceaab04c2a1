import type { Field } from '../catalogue/field.ts';
import { fieldByName, fields } from '../catalogue/fields.ts';
import type { Site } from './sites.ts';

/** Fields that every registration must have. */
export const requiredFields: readonly string[] = fields
  .filter(({ required }) => required)
  .map(({ name }) => name);

/** Fields that a site requires of a complete profile, beside those of every registration. */
export const requiredOf = ({ required_fields }: Site): readonly string[] => {
  const further = required_fields.filter((name) => fieldByName(name)?.only !== 'update');
  return [...new Set([...requiredFields, ...further])];
};

/** The parts of a place; a country and one of the others make one. */
export const placeNames = ['country', 'city', 'state', 'zip'] as const;

const isPlace = (name: string) => placeNames.some((one) => one === name);

/** The fields that a form of registration asks for: what the site requires, and the place. */
export function registrationFields(site: Site): Field[] {
  const required = requiredOf(site);
  return fields.filter(
    ({ name }) => (required.includes(name) || isPlace(name)) && !site.rejected_fields.includes(name),
  );
}
