import { postcodeValidator, postcodeValidatorExistsForCountry } from 'postcode-validator';

const anyPostalCode = /^[\p{L}\p{N}][\p{L}\p{N} -]{0,19}$/u;

/** Whether a text can be a postal code of the country; where a country's form is not known, any code up to 20 may be (31011). */
export function isPostalCode(text: string, country: string | null): boolean {
  if (!anyPostalCode.test(text)) return false;
  if (!country || !postcodeValidatorExistsForCountry(country)) return true;
  return postcodeValidator(text, country);
}

/** A postal code as the index compares it: capitals without blanks and hyphens; of the United States' ZIP+4 the first five. */
export function postalKey(text: string, country: string | null): string {
  const key = text.toUpperCase().replaceAll(/[\s-]/g, '');
  return country === 'US' ? key.slice(0, 5) : key;
}
