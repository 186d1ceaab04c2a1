import { postcodeValidator, postcodeValidatorExistsForCountry } from 'postcode-validator';

const anyPostalCode = /^[\p{L}\p{N}][\p{L}\p{N} -]{0,19}$/u;

const bare = (text: string): string => text.toUpperCase().replaceAll(/[\s-]/g, '');

/** A code as it is written, in capitals, and with no blank or hyphen or one anywhere: of some countries only one of these is the form. */
function spellings(text: string): string[] {
  const key = bare(text);
  const parted = [' ', '-'].flatMap((sign) =>
    Array.from(key, (_letter, at) => key.slice(0, at) + sign + key.slice(at)),
  );
  return [text.toUpperCase(), key, ...parted];
}

/**
 * The first of some countries that a text can be a postal code of, in any case and with or without its blanks and hyphens; where a
 * country's form is not known, any code up to 20 may be (31011). Undefined where it is none of any.
 */
export function countryOfPostalCode(
  text: string,
  countries: readonly (string | null)[],
): string | null | undefined {
  if (!anyPostalCode.test(text)) return undefined;
  const written = spellings(text);
  return countries.find(
    (country) =>
      !country ||
      !postcodeValidatorExistsForCountry(country) ||
      written.some((one) => postcodeValidator(one, country)),
  );
}

/** Whether a text can be a postal code of the country. */
export function isPostalCode(text: string, country: string | null): boolean {
  return countryOfPostalCode(text, [country]) !== undefined;
}

/** A postal code as the index compares it: capitals without blanks and hyphens; of the United States' ZIP+4 the first five. */
export function postalKey(text: string, country: string | null): string {
  return country === 'US' ? bare(text).slice(0, 5) : bare(text);
}
