import { answerByName } from '@covalence/contract/catalogue/answers';
import { renderRecords } from '@covalence/contract/internal/profile-api';
import { endpoint } from '@covalence/http/endpoint';
import type { Context } from '../context.ts';
import { readOthers, recordsOfOthers } from '../record/records-of-others.ts';
import { activeViewer } from './active-viewer.ts';

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
    return { records: recordsOfOthers(context, viewer, read, 'search') };
  },
});
