import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import { pageOf } from '../../members/page.ts';
import { decisionView, decisionViewShape } from '../decide.ts';
import { laterDecisionSchema, laterDecisionView, otherDecision } from './grant-effect.ts';
import type { ModerationContext } from '../moderation.ts';
import { sitesPageInput, photoView, photoViewSchema, sitesOf } from '../staff-call.ts';
import { listedUsername, usernamesOf } from '../usernames.ts';
import { isInForce, isMadeBy } from './reverse-decision.ts';

/** GET /staff/appeals */
export const listAppeals = endpoint({
  access: 'staff',
  staff: {
    roles: ['moderator'],
    site: 'several',
    shows: ({ entries }) =>
      entries.flatMap(({ id, reported }) => [id, ...(reported === undefined ? [] : [reported])]),
  },
  operationId: 'listStaffAppeals',
  summary: 'List the appeals that wait',
  description:
    'Oldest first, of the sites of the role, each with the decision, and the `text` or `photo` that it rejected. `own` marks those that another person has to decide; `in_force` and `later` show what a grant changes.',
  answer: 'A page of appeals.',
  input: sitesPageInput,
  output: z
    .object({
      entries: z.array(
        z
          .strictObject({
            appeal_id: z.uuid(),
            id: z.int().meta({ description: 'The member who appeals.', examples: [1002] }),
            username: listedUsername,
            reported: z.int().optional().meta({
              description: 'Of an appeal against the closing of a report: the member it is about.',
            }),
            reported_username: listedUsername.optional().meta({ description: 'With `reported`.' }),
            siteid: z.int(),
            filed_at: z.iso.datetime(),
            text: z.string().meta({ examples: ['The photo shows me and my sister.'] }),
            own: z.boolean().meta({ description: 'The caller made or approved the decision.' }),
            in_force: z.boolean().meta({
              description: 'Granting takes something back, unless somebody else has a rejected username.',
            }),
            later: laterDecisionSchema.nullable().meta({
              description: 'Another decision that restricts the same, and stands after a grant.',
            }),
            erased: z.boolean().meta({
              description: 'The member is erased: granting lifts the bans, so that they may register again.',
            }),
            decision: z
              .strictObject({
                decision_id: z.uuid(),
                staff_id: z.string(),
                ...decisionViewShape,
                report_id: z.string().optional(),
                photo: photoViewSchema.optional(),
              })
              .meta({ id: 'StaffAppealedDecision' }),
          })
          .meta({ id: 'StaffAppeal' }),
      ),
      next: z.uuid().nullable(),
    })
    .meta({ id: 'StaffAppeals' }),
  handler: async (
    { input: { siteid, cursor, pagesize: size }, caller, sites },
    context: ModerationContext,
  ) => {
    const { appeals, decisions } = context.moderation;
    const page = await appeals.waiting(sitesOf(siteid, sites, context), cursor, size + 1);
    const { entries, next } = pageOf(page, size, ({ id }) => id);
    const named = entries.flatMap(({ member, reported = [] }) => [member].concat(reported));
    const nameOf = await usernamesOf(context, named, sites);
    const shown = entries.map(async ({ id, decision: against, member, reported, siteid: site, at, text }) => {
      const decision = await decisions.find(against);
      if (!decision) return [];
      const found = await context.members.store.byId(decision.member);
      const other = found && (await otherDecision(context, found, decision));
      return [
        {
          appeal_id: id,
          id: member,
          username: nameOf(member),
          reported,
          reported_username: reported === undefined ? undefined : nameOf(reported),
          siteid: site,
          filed_at: at.toISOString(),
          text,
          own: isMadeBy(decision, caller.memberId),
          in_force: !found || (await isInForce(context, found, decision)),
          later: other ? laterDecisionView(other) : null,
          erased: !found,
          decision: {
            decision_id: against,
            staff_id: decision.staff,
            ...decisionView(decision),
            report_id: decision.report,
            photo: decision.rejected?.photo && photoView(decision.rejected.photo, context),
          },
        },
      ];
    });
    return { entries: (await Promise.all(shown)).flat(), next };
  },
});
