import { eraseMember } from '@covalence/contract/internal/privacy-api';
import { endpoint } from '@covalence/http/endpoint';
import type { SearchContext } from '../context.ts';

/**
 * POST /internal/members/erase: deletes what is stored about a member, and their document in every index. Profile calls it when
 * it no longer has the member, so that no event restores the document. Idempotent.
 */
export const erase = endpoint({
  access: 'service',
  summary: 'Erase a member',
  ...eraseMember,
  handler: async ({ input: { id } }, context: SearchContext) => {
    const { matchCriteria, saved, searchCenters, members } = context;
    await Promise.all([matchCriteria, saved, searchCenters].map((store) => store.forget([id])));
    await members.remove(id);
    return {};
  },
});
