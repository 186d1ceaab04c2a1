import { z } from 'zod';
import { equalsPartNames } from '../relevance/among-equals.ts';

const explanation = z.array(
  z.object({
    criterion: z.string(),
    outcome: z.enum(['met', 'near', 'missed']),
    weight: z.int(),
    gave: z.number(),
    /** The rules by which a text was found, where it was not found as typed alone. */
    synonyms: z.array(z.object({ typed: z.string(), found: z.string(), rule: z.string() })).optional(),
  }),
);

const equalsPart = z.object({
  part: z.enum(equalsPartNames),
  gave: z.number().optional().meta({ description: 'Absent for `answer_rate`, which no member may read.' }),
});

const user = z
  .looseObject({
    id: z.int(),
    relevance: z.number().min(0).max(1),
    exactmatch: z.boolean(),
    /** Whole miles, with sortby `distance` only; null where a position is not known. */
    distance: z.int().min(1).nullable().optional(),
    /** With `explain=true` only. */
    explanation: explanation.optional(),
    /** With `explain=true` only, where the site orders members of the same relevance by more than id. */
    among_equals: z.array(equalsPart).optional(),
  })
  .meta({ id: 'FoundMember' });

/** The 200 answer of a search. */
export const searchOutput = z
  .object({
    totalmatches: z.int(),
    page: z.int(),
    pagesize: z.int(),
    currentpagesize: z.int(),
    users: z.array(user),
  })
  .meta({ id: 'SearchPage' });

/** A page of search results. */
export type SearchOutput = z.infer<typeof searchOutput>;
