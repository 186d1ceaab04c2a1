import { exportSearch } from '@covalence/contract/internal/privacy-api';
import { endpoint } from '@covalence/http/endpoint';
import type { SearchContext } from '../context.ts';
import { aliasesOf } from '../index/member-index.ts';

const isDocument = (source: unknown): source is Record<string, unknown> =>
  typeof source === 'object' && source !== null;

/** POST /internal/members/export: saved searches, criteria, places of the last hour, and the search document. */
export const exportOf = endpoint({
  access: 'service',
  summary: 'Everything kept of a member',
  ...exportSearch,
  handler: async ({ input: { id } }, context: SearchContext) => {
    const { matchCriteria, saved, searchCenters, documents, namespace } = context;
    const [criteria, searches, places, found] = await Promise.all([
      matchCriteria.read(id),
      saved.list(id),
      searchCenters.list(id),
      documents.read([id], aliasesOf(namespace).live),
    ]);
    const source = found.get(id)?.source;
    return {
      saved_searches: searches.map(({ revision: _revision, ...search }) => search),
      match_criteria: { ...criteria },
      origins: places.map(({ place, own, at }) => ({ place, own, at: at.toISOString() })),
      index: isDocument(source) ? source : null,
    };
  },
});
