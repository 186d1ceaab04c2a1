import type { CovalenceClient } from '@covalence/client/client';
import { queryOptions } from '@tanstack/react-query';
import { dataOf } from '../api/api.tsx';

/** The state of the search index. */
export const indexQuery = (api: CovalenceClient) =>
  queryOptions({
    queryKey: ['search', 'index'],
    queryFn: ({ signal }) => dataOf(api.GET('/staff/search/index', { signal })),
  });
