import { z } from 'zod';
import { parseBoolean } from '../catalogue/check-value.ts';

/** Whether a parameter has a value: forms send empty ones. */
export const isPresent = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** An optional parameter; an empty one and null count as not sent. */
export const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (isPresent(value) ? value : undefined), schema.optional());

/** Replaces an empty value and null by the default of a parameter. */
export const orDefault = (fallback: string | number) => (value: unknown) =>
  isPresent(value) ? value : fallback;

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

const pageBounds = { type: 'integer', minimum: 1, maximum: 100 };

/** Entries of one page of a list: 1 to 100, 20 by default; out of range gives 403 without code. */
export const pagesize = z
  .preprocess(orDefault(20), wholeNumber.pipe(z.int().min(1).max(100)))
  .meta({ ...pageBounds, description: 'Entries on a page.' })
  .default(20)
  .meta({ ...pageBounds, default: 20, description: 'Entries on a page.' });

/**
 * A parameter that the operation checks itself, because a bad value has a failure code. `documented` is its JSON schema in the
 * OpenAPI document; `x-required` marks a required one.
 */
export const unchecked = (documented: Readonly<Record<string, unknown>>) =>
  z.unknown().optional().meta(documented);

/** A member by `id` or `member_id`. Documented as a number, because most generated clients cannot express a union. */
const profile = unchecked({
  id: 'ProfileId',
  description:
    'A member: the numeric `id`. Its digits as a string and the UUID `member_id` are accepted too.',
  type: 'integer',
  minimum: 1,
  'x-types': ['integer', 'string'],
  examples: [1001],
});

/** The other member of a call. */
export const profileid = profile.meta({ description: 'The other member.', 'x-required': true });

/** The member whose data a call reads, instead of the caller's. */
export const otherProfileid = profile.meta({ description: 'Another member; the caller by default.' });

/** The member that a path names. */
export const profileidInPath = z.string().meta({
  description: 'The member: the numeric `id`. The UUID `member_id` is accepted too.',
  type: 'integer',
  minimum: 1,
  'x-types': ['integer', 'string'],
});

/** One of the caller's photos. */
export const photoid = unchecked({
  id: 'PhotoId',
  description: 'A photo: a number. Its digits as a string are accepted too.',
  type: 'integer',
  minimum: 0,
  'x-types': ['integer', 'string'],
  examples: [4711],
});

/** The kind of app. */
export const platform = unchecked({
  type: 'string',
  examples: ['app_android', 'app_ios', 'web'],
  description: 'The kind of app that calls, for the list of sign-ins.',
});

/** The device of the app. */
export const deviceName = unchecked({
  type: 'string',
  examples: ['Ada’s iPhone'],
  description: 'The name of the device, for the list of sign-ins; cut to 64 characters.',
});

/** The documentation of parameters that several endpoints share. */
export const documented = {
  cursor: { description: '`next` of the page before; the first page by default.' },
  siteid: { type: 'integer', minimum: 1, examples: [1], description: 'The site.' },
  locale: {
    type: 'string',
    pattern: '^[a-z]{2}_[A-Z]{2}$',
    examples: ['en_US'],
    description: 'language_COUNTRY of the labels; the member’s own by default.',
  },
} as const;
