/** Codes that say more than the table knows: the beginning that names the area, country by country. */
const areas: Readonly<Record<string, RegExp>> = {
  GB: /^[A-Z]{1,2}/,
  NL: /^\d{4}/,
  PT: /^\d{4}/,
};

/** The part of a postal key of a country that the table of postal codes knows. */
export const postalArea = (key: string, country: string): string => areas[country]?.exec(key)?.[0] ?? key;
