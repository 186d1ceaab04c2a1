import { z } from 'zod';
import { normalizedText } from '../endpoints/normalized-text.ts';
import type { Exchange } from './exchange.ts';

/** Days in which a decision can be appealed: six months at least. */
export const appealDays = 184;

/** Days in which the answer to an appeal can be read behind its link, after the last day of the appeal. */
export const answerDays = 90;

/** The text of an appeal. */
export const appealText = normalizedText(4_000, 1);

/** Whether a decision can be appealed, and what became of the appeal. `ended`: too late, or taken back without one. */
export const appealStates = ['open', 'waiting', 'granted', 'refused', 'ended'] as const;

/** Whether a decision can be appealed, and what became of the appeal. */
export type AppealState = (typeof appealStates)[number];

const decisionOfMember = { member_id: z.uuid(), decision_id: z.uuid() };

/** Reads whether a member can appeal a decision. 404 where there is no such decision on the member or on their report. */
export const readAppeal = {
  path: '/internal/decisions/appeal/read',
  callers: ['auth'],
  input: z.object(decisionOfMember),
  output: z.object({
    siteid: z.int(),
    state: z.enum(appealStates),
    /** The answer of staff. */
    answer: z.string().optional(),
    /** Whether the member was erased since, so that no mail has the answer. */
    erased: z.boolean(),
  }),
} as const satisfies Exchange;

/**
 * Files the appeal of a member. 404 where there is no such decision, 409 where it cannot be appealed any more, 429 while too many
 * about reports of the member wait.
 */
export const fileAppeal = {
  path: '/internal/decisions/appeal',
  callers: ['auth'],
  input: z.object({ ...decisionOfMember, text: appealText }),
  output: z.object({}),
} as const satisfies Exchange;
