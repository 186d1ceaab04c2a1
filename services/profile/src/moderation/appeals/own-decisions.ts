import { appealStates } from '@covalence/contract/peers/appeals-api';
import { restrictions } from '@covalence/contract/peers/decisions-api';
import { documented, pagesize } from '@covalence/contract/parameters';
import { z } from 'zod';
import { memberEndpoint } from '../../members/member-endpoint.ts';
import type { Decision } from '../../members/document/member.ts';
import { pageOf } from '../../members/page.ts';
import { appealableUntil, appealStateOf } from '../appeal-state.ts';
import { tryMoveDecisions } from '../decide.ts';
import type { ModerationContext } from '../moderation.ts';
import { isRestriction, statementSchema, statementView } from '../statement.ts';
import { pointsOf, strikesSince } from '../strikes.ts';

const ownDecisionSchema = z
  .strictObject({
    decision_id: z.uuid(),
    at: z.iso.datetime(),
    action: z.enum(restrictions),
    field: z.string().optional().meta({ description: 'The field of a text.' }),
    photoid: z.int().optional(),
    statement: statementSchema,
    reversed: z.boolean().meta({ description: 'It was taken back.' }),
    points: z
      .int()
      .optional()
      .meta({ description: 'The points that it counts for now, on sites with strikes.' }),
    appeal: z.strictObject({
      state: z.enum(appealStates),
      until: z.iso.datetime().meta({ description: 'Until when an appeal can be filed.' }),
      answer: z.string().nullable().meta({ description: 'The answer of staff.' }),
    }),
  })
  .meta({ id: 'OwnDecision' });

/** GET /members/self/decisions */
export const listOwnDecisions = memberEndpoint({
  tag: 'Members',
  operationId: 'listOwnDecisions',
  summary: 'List the decisions about the caller',
  description:
    'The decisions of Customer Service that restrict the caller, each with its statement of reasons, newest first. The same comes by mail.',
  answer: 'A page of decisions.',
  input: z.object({ cursor: z.uuid().toLowerCase().optional().meta(documented.cursor), pagesize }),
  output: z
    .object({ decisions: z.array(ownDecisionSchema), next: z.uuid().nullable() })
    .meta({ id: 'OwnDecisions' }),
  handler: async ({ input: { cursor, pagesize: size }, member }, context: ModerationContext) => {
    const { decisions } = context.moderation;
    await tryMoveDecisions(context, member);
    const found = await decisions.statementsTo(member._id, cursor, size + 1);
    const { entries, next } = pageOf(found, size, ({ id }) => id);
    const ids = entries.map(({ id }) => id);
    const [undone, appeals] = await Promise.all([
      decisions.undoneOf(member._id, ids),
      context.moderation.appeals.againstSome(ids),
    ]);
    const now = context.clock();
    const since = strikesSince(context, member);
    const appealOf = (decision: Decision) => {
      const appeal = appeals.find((each) => each.decision === decision.id);
      const state = appealStateOf(decision, appeal, { isReversed: undone.has(decision.id), now });
      const until = appealableUntil(decision).toISOString();
      return { state, until, answer: appeal?.decided?.answer ?? null };
    };
    const shown = entries.flatMap((decision) => {
      const { id, at, action, field, photo, statement } = decision;
      return statement && isRestriction(action)
        ? [
            {
              decision_id: id,
              at: at.toISOString(),
              action,
              field,
              photoid: photo,
              statement: statementView(statement),
              reversed: undone.has(id),
              points: since && (undone.has(id) || at <= since ? 0 : pointsOf(context, decision)),
              appeal: appealOf(decision),
            },
          ]
        : [];
    });
    return { decisions: shown, next };
  },
});
