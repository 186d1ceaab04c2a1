import type { components } from '@covalence/client/api';
import type { CovalenceClient } from '@covalence/client/client';
import { queryOptions } from '@tanstack/react-query';
import { dataOf } from '../../api/api.tsx';
import { settingsKey } from '../queries.ts';

/** An experiment, and what it says so far. */
export type Experiment = components['schemas']['StaffExperiment'];

/** All experiments, the last one first. */
export const experimentsQuery = (api: CovalenceClient) =>
  queryOptions({
    queryKey: [...settingsKey, 'experiments'],
    queryFn: ({ signal }) => dataOf(api.GET('/staff/search/experiments', { signal })),
  });
