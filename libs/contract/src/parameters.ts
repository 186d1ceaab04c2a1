import { z } from 'zod';
import { parseBoolean } from './catalogue/check-value.ts';

/** Whether a parameter, or an entry of one, was given at all: a form's empty one was not. */
export const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** A parameter that may be left out, which an empty one or null is too. */
export const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (isGiven(value) ? value : undefined), schema.optional());

/** A boolean parameter, in any accepted spelling. */
export const booleanParameter = z.preprocess((value) => parseBoolean(value) ?? value, z.boolean());

/** A parameter that is a whole number: a JSON number, or its digits in a form or a query. */
export const wholeNumber = z.union([
  z.int(),
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number),
]);

/** Entries of one page of a list: 1–100, 20 where nothing is said; out of range gives 403 without code. */
export const pagesize = wholeNumber.pipe(z.int().min(1).max(100)).default(20);
