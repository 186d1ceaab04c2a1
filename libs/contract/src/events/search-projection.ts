import { z } from 'zod';
import { isMap } from '../is-map.ts';
import { genders } from '../members/record.ts';

type TraitValue = string | number | boolean | (string | number)[];

const isTextOrNumber = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number';

const isTraitValue = (value: unknown): value is TraitValue =>
  isTextOrNumber(value) ||
  typeof value === 'boolean' ||
  (Array.isArray(value) && value.every(isTextOrNumber));

/** Checked by hand, because zod's record of unions is slow and copies. */
const traitsSchema = z.custom<Record<string, TraitValue>>(
  (value) => isMap(value) && Object.values(value).every(isTraitValue),
);

/** A position in degrees. */
export const positionSchema = z.strictObject({ lat: z.number(), lon: z.number() });

/** The answer rate of members of whom too little is known. */
export const neutralAnswerRate = 0.5;

/**
 * A member in the search index: rendered by profile, indexed by search with the document's `version` as external version.
 * Dates instead of ages and flags, so that it stays valid as time passes. Columns that a newer profile adds are dropped.
 */
export const projectionSchema = z.object({
  id: z.int().positive(),
  version: z.int().positive(),
  /** False if not approved, hidden, deactivated, suspended or deleted. */
  visible: z.boolean(),
  deleted: z.boolean(),
  siteid: z.int().positive(),
  group: z.string(),
  world_plus: z.boolean(),
  gender: z.enum(genders),
  gender_preference: z.enum(genders),
  /** YYYY-MM-DD */
  date_of_birth: z.string(),
  /** Displaced by profile by at most 3.5 miles; null if unknown. */
  position: positionSchema.nullable(),
  country: z.string().nullable(),
  state: z.string().nullable(),
  zip: z.string().nullable(),
  photo: z.boolean(),
  joined: z.iso.datetime(),
  last_seen: z.iso.datetime().nullable(),
  offline: z.boolean(),
  platinum_until: z.iso.datetime().nullable(),
  /** The share of others' advances that the member answers, 0 to 1 in quarters. Ranks results; no member may read it. */
  answer_rate: z.number().min(0).max(1),
  /** False of a member who turned off that their searches are recorded. */
  recorded: z.boolean().optional(),
  /** True of a member who was visible, and then hidden, at any time before. */
  was_hidden: z.boolean().optional(),
  /** Values of the searched fields by name (`projectedTraits`); only approved texts. */
  traits: traitsSchema,
});

/** A member in the search index. */
export type SearchProjection = z.infer<typeof projectionSchema>;
