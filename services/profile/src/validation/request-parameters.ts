import { z } from 'zod';

/** The `siteid` of a request: a number, or its digits. */
export const siteidParameter = z.union([
  z.int(),
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
]);

/** The `locale` of a request, language_COUNTRY; a malformed one is 403 without code. */
export const localeParameter = z
  .string()
  .regex(/^[a-z]{2}_[A-Z]{2}$/)
  .optional();
