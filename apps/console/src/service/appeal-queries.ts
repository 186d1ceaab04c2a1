import type { components } from '@covalence/client/api';
import type { CovalenceClient } from '@covalence/client/client';
import { dataOf } from '../api/api.tsx';
import { pages } from '../api/pages.ts';
import { queueKey } from './queue-queries.ts';

/** An appeal that waits, with the decision that it is against. */
export type Appeal = components['schemas']['StaffAppeal'];

/** The appeals that wait, oldest first. */
export const appealsQuery = (api: CovalenceClient) =>
  pages([...queueKey, 'appeals'], (cursor, signal) =>
    dataOf(api.GET('/staff/appeals', { params: { query: { cursor } }, signal })),
  );
