/** The signs, from that of January 1. */
export const zodiacSigns = [
  'Capricorn',
  'Aquarius',
  'Pisces',
  'Aries',
  'Taurus',
  'Gemini',
  'Cancer',
  'Leo',
  'Virgo',
  'Libra',
  'Scorpio',
  'Sagittarius',
] as const;

/** A sign of the zodiac. */
export type ZodiacSign = (typeof zodiacSigns)[number];

/** The day of each month, January first, on which its second sign begins. */
const firstDays = [20, 19, 21, 20, 21, 21, 23, 23, 23, 23, 22, 22];

/** The sign of a date of birth, YYYY-MM-DD. */
export function zodiacSign(dateOfBirth: string): ZodiacSign {
  const month = Number(dateOfBirth.slice(5, 7)) - 1;
  const second = Number(dateOfBirth.slice(8, 10)) >= (firstDays[month] ?? 0);
  return zodiacSigns[(month + (second ? 1 : 0)) % zodiacSigns.length] ?? 'Capricorn';
}
