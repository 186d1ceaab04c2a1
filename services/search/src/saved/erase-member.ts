import { eraseMember } from '@covalence/contract/internal/privacy-api';
import { endpoint } from '@covalence/http/endpoint';
import type { SearchContext } from '../context.ts';

/**
 * POST /internal/members/erase: what the member kept here, and their document in every index, tombstone included. Asked
 * for when profile has no such member any more, so that no event brings the document back. Idempotent.
 */
export const erase = endpoint({
  access: 'service',
  summary: 'Erase a member',
  ...eraseMember,
  handler: async ({ input: { id } }, context: SearchContext) => {
    const { matchCriteria, saved, origins, members } = context;
    await Promise.all([matchCriteria, saved, origins].map((store) => store.forget([id])));
    await members.remove(id);
    return {};
  },
});
