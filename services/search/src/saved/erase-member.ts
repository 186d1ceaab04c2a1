import { eraseMember, forgetRelations } from '@covalence/contract/internal/privacy-api';
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
    const { matchCriteria, saved, origins, relations, members } = context;
    await Promise.all([matchCriteria, saved, origins, relations].map((store) => store.forget([id])));
    await members.remove(id);
    return {};
  },
});

/** POST /internal/relations/forget: the kept relations of members who had to do with one who is erased. */
export const forgetKept = endpoint({
  access: 'service',
  summary: 'Forget what is kept of relations',
  ...forgetRelations,
  handler: async ({ input: { members } }, { relations }: SearchContext) => {
    await relations.forget(members);
    return {};
  },
});
