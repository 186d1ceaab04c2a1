import { z } from 'zod';
import { isMap } from './is-map.ts';
import { genders } from './record.ts';

type TraitValue = string | number | boolean | (string | number)[];

const isTextOrNumber = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number';

const isTraitValue = (value: unknown): value is TraitValue =>
  isTextOrNumber(value) ||
  typeof value === 'boolean' ||
  (Array.isArray(value) && value.every(isTextOrNumber));

/** A hand-written check: zod's record of unions would double the time of a projection, and copies it. */
const traitsSchema = z.custom<Record<string, TraitValue>>(
  (value) => isMap(value) && Object.values(value).every(isTraitValue),
);

/** A position in degrees. */
export const positionSchema = z.strictObject({ lat: z.number(), lon: z.number() });

/**
 * What the search index knows of a member. Profile renders it, search indexes it; `version` is the member
 * document's, used as external version. Dates instead of ages and flags, so that it stays true as time passes.
 */
export const projectionSchema = z.strictObject({
  id: z.int().positive(),
  version: z.int().positive(),
  /** False = not to be found: not approved, hidden, deactivated, suspended or deleted. */
  visible: z.boolean(),
  deleted: z.boolean(),
  siteid: z.int().positive(),
  group: z.string(),
  world_plus: z.boolean(),
  gender: z.enum(genders),
  gender_preference: z.enum(genders),
  /** YYYY-MM-DD */
  date_of_birth: z.string(),
  /** Displaced by profile: at most 3.5 miles from where the member is; null where unknown. */
  position: positionSchema.nullable(),
  country: z.string().nullable(),
  state: z.string().nullable(),
  zip: z.string().nullable(),
  photo: z.boolean(),
  joined: z.iso.datetime(),
  last_seen: z.iso.datetime().nullable(),
  offline: z.boolean(),
  platinum_until: z.iso.datetime().nullable(),
  /** Values of the catalogue's searched fields by name (`projectedTraits`); only approved texts. */
  traits: traitsSchema,
});

/** A member as the search index sees it. */
export type SearchProjection = z.infer<typeof projectionSchema>;
