import { restrictions } from '@covalence/contract/internal/decisions-api';
import { documented, pagesize } from '@covalence/contract/parameters';
import { z } from 'zod';
import { memberEndpoint } from '../members/member-endpoint.ts';
import { pageOf } from '../members/page.ts';
import { tryMoveDecisions } from './decide.ts';
import type { ModerationContext } from './moderation.ts';
import { isRestriction, statementSchema, statementView } from './statement.ts';

const ownDecisionSchema = z
  .strictObject({
    decision_id: z.uuid(),
    at: z.iso.datetime(),
    action: z.enum(restrictions),
    field: z.string().optional().meta({ description: 'The field of a text.' }),
    photoid: z.int().optional(),
    statement: statementSchema,
    reversed: z.boolean().meta({ description: 'It was taken back.' }),
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
    const undone = await decisions.undoneOf(
      member._id,
      entries.map(({ id }) => id),
    );
    const shown = entries.flatMap(({ id, at, action, field, photo, statement }) =>
      statement && isRestriction(action)
        ? [
            {
              decision_id: id,
              at: at.toISOString(),
              action,
              ...(field !== undefined && { field }),
              ...(photo !== undefined && { photoid: photo }),
              statement: statementView(statement),
              reversed: undone.has(id),
            },
          ]
        : [],
    );
    return { decisions: shown, next };
  },
});
