import { postcodeValidator, postcodeValidatorExistsForCountry } from 'postcode-validator';

const anyPostalCode = /^[\p{L}\p{N}][\p{L}\p{N} -]{0,19}$/u;

const bare = (text: string) => text.toUpperCase().replaceAll(/[\s-]/g, '');

/** A code in capitals as it is written, bare, and with one blank or hyphen at each place: countries have them at places of their own. */
function spellings(text: string): string[] {
  const code = bare(text);
  const parted = Array.from(code, (_letter, at) =>
    [' ', '-'].map((sign) => code.slice(0, at) + sign + code.slice(at)),
  );
  return [text.toUpperCase(), code, ...parted.flat()];
}

/**
 * Whether a text can be a postal code of the country, whatever its case, blanks and hyphens; where a country's form is not known,
 * any code up to 20 may be (31011).
 */
export function isPostalCode(text: string, country: string | null): boolean {
  if (!anyPostalCode.test(text)) return false;
  if (!country || !postcodeValidatorExistsForCountry(country)) return true;
  return spellings(text).some((spelling) => postcodeValidator(spelling, country));
}

/** A postal code as the index compares it: capitals without blanks and hyphens; of the United States' ZIP+4 the first five. */
export function postalKey(text: string, country: string | null): string {
  return country === 'US' ? bare(text).slice(0, 5) : bare(text);
}
