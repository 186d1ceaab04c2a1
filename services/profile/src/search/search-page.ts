import { renderRecords } from '@covalence/contract/internal/profile-api';
import { endpoint } from '@covalence/http/endpoint';
import type { Context } from '../context.ts';
import { readOthers, recordsOfOthers } from '../record/records-of-others.ts';
import { activeViewer } from './active-viewer.ts';

/** POST /internal/records: the records of a search page, without those no longer eligible (D54). */
export const searchPage = endpoint({
  access: 'service',
  summary: 'Records of a search page',
  ...renderRecords,
  handler: async ({ input }, context: Context) => {
    const read = await readOthers(context, input.viewer, input.ids, { withViewer: true });
    const viewer = activeViewer(read.members.find(({ _id }) => _id === input.viewer));
    return { records: recordsOfOthers(context, viewer, read, 'search') };
  },
});
