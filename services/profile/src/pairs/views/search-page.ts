import { answerByName } from '@covalence/contract/catalogue/answers';
import { renderRecords } from '@covalence/contract/internal/profile-api';
import { tooManyRequests } from '@covalence/contract/failure';
import { endpoint } from '@covalence/http/endpoint';
import { dayOf } from '../daily-limit.ts';
import { siteOf, type Context } from '../../context.ts';
import type { Member } from '../../members/document/member.ts';
import { readOthers, recordsOfOthers } from './records-of-others.ts';
import { activeViewer } from './active-viewer.ts';

/** Counts records before they are shown: 429 when those that the viewer's site gives for a day are used up. */
async function countResults(
  { sites, resultQuotas, clock }: Pick<Context, 'sites' | 'resultQuotas' | 'clock'>,
  viewer: Member,
  shown: number,
): Promise<void> {
  const limit = siteOf({ sites }, viewer.siteid).results_per_day;
  if (limit === undefined || shown === 0) return;
  const { day, secondsLeft } = dayOf(viewer, clock());
  if (!(await resultQuotas.takeSome(viewer._id, day, limit, shown))) throw tooManyRequests(secondsLeft);
}

/** POST /internal/records: the records of a search page, with the answers asked for, without those no longer eligible. */
export const searchPage = endpoint({
  access: 'service',
  summary: 'Records of a search page',
  ...renderRecords,
  handler: async ({ input }, context: Context) => {
    const { viewer: id, ids, fields } = input;
    const answers = fields.filter(answerByName);
    const read = await readOthers(context, id, ids, { withViewer: true, answers });
    const viewer = activeViewer(read.members.find(({ _id }) => _id === id));
    const records = recordsOfOthers(context, viewer, read, 'search');
    await countResults(context, viewer, records.length);
    return { records };
  },
});
