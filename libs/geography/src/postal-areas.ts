/** Codes that say more than the table knows: the beginning that names the area, country by country. */
const areas: Readonly<Record<string, RegExp>> = {
  GB: /^[A-Z]{1,2}/,
  NL: /^\d{4}/,
  PT: /^\d{4}/,
};

/** The part of a country's postal keys that the table of postal codes knows. */
export const postalAreas = (country: string) => {
  const area = areas[country];
  return (key: string): string => (area ? (area.exec(key)?.[0] ?? key) : key);
};
