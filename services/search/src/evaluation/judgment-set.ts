import { canonicalName } from '@covalence/contract/catalogue/fields';
import { projectionSchema } from '@covalence/contract/search-projection';
import { normalizeNames } from '@covalence/http/names';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { sortBys } from '../relevance/sort.ts';

const memberId = z.int().positive();

const judgedSearch = z.strictObject({
  /** Unique; shown in the report. */
  name: z.string().min(1),
  /** The searcher. */
  member: memberId,
  /** Criteria as POST /searches takes them, in any spelling of their names. */
  criteria: z.record(z.string(), z.unknown()).transform((map) => normalizeNames(map, canonicalName)),
  sortby: z.enum(sortBys).default('relevance'),
  /** 1 to 3 by member id, also means of raters; others are 0. At least one is 2 or more. */
  grades: z
    .record(z.string().regex(/^\d+$/), z.number().min(0).max(3))
    .refine((grades) => Object.values(grades).some((grade) => grade >= 2), 'no member is good (2 or 3)'),
});

/** A judgment set (docs/search.md): searches, and grades of their results. */
export const judgmentSetSchema = z
  .strictObject({
    /** The time of ages and activity; the current time by default. */
    now: z.iso.datetime().optional(),
    /** Members that are searched in a temporary index; without them, the live index is searched. */
    members: z.array(projectionSchema).optional(),
    searches: z.array(judgedSearch).min(1),
  })
  .refine(
    ({ searches }) => new Set(searches.map(({ name }) => name)).size === searches.length,
    'two searches have the same name',
  );

/** The checked judgment set. */
export type JudgmentSet = z.output<typeof judgmentSetSchema>;

/** One search of a judgment set. */
export type JudgedSearch = JudgmentSet['searches'][number];

/** Reads and checks a set; throws a ZodError that names each problem. */
export function readJudgments(path: string): JudgmentSet {
  return judgmentSetSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
}
