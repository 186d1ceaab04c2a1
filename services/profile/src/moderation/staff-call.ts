import { notFound } from '@covalence/contract/failure';
import { keptText } from '@covalence/contract/kept-text';
import { z } from 'zod';
import type { ModerationContext } from './moderation.ts';
import type { Member } from '../members/document/member.ts';
import { findMember } from '../members/find-member.ts';

const longestReason = 1_000;

/** The reason of a decision. */
export const reason = keptText(longestReason, 1);

/** What the OpenAPI document says of one decision. */
export interface DecisionDocument {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
}

/** Input that every decision takes. */
export const decisionInput = {
  reason: reason.optional().meta({ description: 'The reason, for the history.' }),
  revision: z
    .string()
    .optional()
    .meta({ description: '`revision` of what was looked at; 409 when that has changed since.' }),
};

/** The member that a staff path names by number or UUID, deleted ones included. Throws 404 where there is none. */
export async function memberOf(context: ModerationContext, id: string): Promise<Member> {
  const member = await findMember(context, id);
  if (!member) throw notFound();
  return member;
}
