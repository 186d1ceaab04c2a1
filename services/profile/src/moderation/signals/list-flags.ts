import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import { pageOf } from '../../members/page.ts';
import type { ModerationContext } from '../moderation.ts';
import { entryMembers, sitesPageInput, sitesOf } from '../staff-call.ts';
import { listedUsername, usernamesOf } from '../usernames.ts';
import { rulesVersion, scamMode, signalName } from './score.ts';

/** GET /staff/scam-signals */
export const listScamFlags = endpoint({
  access: 'staff',
  staff: { roles: ['moderator'], site: 'several', shows: ({ entries }) => entryMembers(entries) },
  operationId: 'listStaffScamFlags',
  summary: 'List the members flagged as scams',
  description:
    'Members who reached the threshold of the rules on signals of scams, newest first, until staff decide or the days for it have passed. A program flags, and does nothing else: with the mode `on` these members wait in the queue, with `shadow` they would. GET /staff/members/{id} has the reasons.',
  answer: 'A page of flagged members.',
  input: sitesPageInput,
  output: z
    .object({
      entries: z.array(
        z
          .strictObject({
            flag_id: z.uuid(),
            id: z.int().meta({ examples: [1002] }),
            username: listedUsername,
            siteid: z.int(),
            since: z.iso.datetime(),
            mode: scamMode,
            version: rulesVersion,
            score: z.int().meta({ examples: [10], description: 'The highest so far.' }),
            signals: z.array(signalName),
          })
          .meta({ id: 'StaffScamFlag' }),
      ),
      next: z.uuid().nullable(),
    })
    .meta({ id: 'StaffScamFlags' }),
  handler: async ({ input, sites }, context: ModerationContext) => {
    const siteids = sitesOf(input.siteid, sites, context);
    const found = await context.moderation.scamFlags.page(siteids, input.cursor, input.pagesize + 1);
    const { entries, next } = pageOf(found, input.pagesize, ({ _id }) => _id);
    const nameOf = await usernamesOf(
      context,
      entries.map(({ member }) => member),
      sites,
    );
    return {
      entries: entries.map(({ _id: flag_id, member: id, siteid, since, mode, version, score, signals }) => ({
        flag_id,
        id,
        username: nameOf(id),
        siteid,
        since: since.toISOString(),
        mode,
        version,
        score,
        signals: [...signals],
      })),
      next,
    };
  },
});
