import { z } from 'zod';

/** The `locale` of a request, language_COUNTRY; a malformed one is 403 without code. */
export const localeParameter = z
  .string()
  .regex(/^[a-z]{2}_[A-Z]{2}$/)
  .optional();
