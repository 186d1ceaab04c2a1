import { z } from 'zod';
import { mostShownAnswers } from '../catalogue/answers.ts';
import { positionSchema, projectionSchema } from '../events/search-projection.ts';
import type { Exchange } from './exchange.ts';

const id = z.int().positive();

const withId = z.object({ id });

/** A rendered record. The caller forwards it unchanged, so only its id is parsed. */
const renderedRecord = z.custom<{ readonly id: number } & Record<string, unknown>>(
  (record) => withId.safeParse(record).success,
);

/**
 * The viewer as a search read them shortly before: the member's version, and the sum of the versions of the pairs since `since`. Versions
 * only grow, so each change of a pair changes the sum.
 */
const knownViewer = z.object({
  version: id,
  platinum: z.boolean(),
  since: z.int().nonnegative(),
  pairs: z.int().nonnegative(),
});

/**
 * Renders a search page as the viewer may see it, in the order of `ids` and with the answers in `fields`, without members who are no longer
 * eligible. Where `related` is sent, the viewer has no relation with the others. `current` says whether the viewer is still as `known`;
 * if not, nothing is rendered. 403 Deactivated, 429 over the daily limit, unless `for_staff`.
 */
export const renderRecords = {
  path: '/internal/records',
  callers: ['search'],
  input: z.object({
    viewer: id,
    ids: z.array(id).max(100),
    related: z.array(id).max(100).optional(),
    fields: z.array(z.string()).max(mostShownAnswers).default([]),
    known: knownViewer.optional(),
    for_staff: z.boolean().default(false),
  }),
  output: z.object({ records: z.array(renderedRecord), current: z.boolean() }),
} as const satisfies Exchange;

/** The viewer's relation to another member. The pair's version orders its changes. */
const viewerRelation = z.strictObject({
  other: id,
  version: z.int().positive(),
  blocked_by: z.boolean(),
  blocks: z.boolean(),
  declines: z.boolean(),
  likes: z.boolean(),
  /** End of the viewer's pass. */
  passed_until: z.iso.datetime().nullable(),
});

/**
 * Reads the member who searches: projection, membership, and the relations whose version is at least `since`, by version, about 2,500 at
 * a time. `next` is the version to continue with, absent at the end. 403 Deactivated.
 */
export const readViewer = {
  path: '/internal/viewers',
  callers: ['search'],
  input: z.object({ id, relations: z.object({ since: z.int().nonnegative() }).optional() }),
  output: z.object({
    member: projectionSchema,
    /** The exact position, from which the viewer's searches measure. */
    position: positionSchema.nullable(),
    platinum: z.boolean(),
    relations: z.array(viewerRelation),
    next: z.int().optional(),
    agefrom: z.int().nullable(),
    ageto: z.int().nullable(),
    locale: z.string(),
  }),
} as const satisfies Exchange;

/** Projections, and the ids of members whose documents are invalid. */
const projections = z.object({
  projections: z.array(projectionSchema),
  broken: z.array(id),
});

/** Reads search projections, including tombstones; unknown ids are left out. */
export const readProjections = {
  path: '/internal/projections',
  callers: ['search'],
  input: z.object({ ids: z.array(id).max(1_000) }),
  output: projections,
} as const satisfies Exchange;

/** Reads one page of the projections between two ids, both excluded, in order of id. An empty page is the end. */
export const exportProjections = {
  path: '/internal/projections/export',
  callers: ['search'],
  input: z.object({
    after: z.int().nonnegative(),
    before: z.int().positive().default(Number.MAX_SAFE_INTEGER),
    descending: z.boolean().default(false),
    limit: z.int().min(1).max(1_000),
  }),
  output: projections,
} as const satisfies Exchange;
