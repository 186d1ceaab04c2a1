import { postcodeValidator, postcodeValidatorExistsForCountry } from 'postcode-validator';

const anyPostalCode = /^[\p{L}\p{N}][\p{L}\p{N} -]{0,19}$/u;

const bare = (text: string): string => text.toUpperCase().replaceAll(/[\s-]/g, '');

/** Spellings to try: as sent, without separators, and with a blank or hyphen at each position. */
function spellings(text: string): string[] {
  const key = bare(text);
  const parted = [' ', '-'].flatMap((sign) =>
    Array.from(key, (_letter, at) => key.slice(0, at) + sign + key.slice(at)),
  );
  return [text.toUpperCase(), key, ...parted];
}

/**
 * The first of the countries for which a text is a valid postal code, with any case and separators; undefined if none. For
 * countries without a known format, any code of up to 20 characters is valid.
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

/** Whether a text is a valid postal code of the country. */
export function isPostalCode(text: string, country: string | null): boolean {
  return countryOfPostalCode(text, [country]) !== undefined;
}

/** Normalizes a postal code for comparison: capitals without separators; only the first five digits of ZIP+4. */
export function postalKey(text: string, country: string | null): string {
  return country === 'US' ? bare(text).slice(0, 5) : bare(text);
}
