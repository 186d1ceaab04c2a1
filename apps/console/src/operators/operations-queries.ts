import type { components } from '@covalence/client/api';
import type { CovalenceClient } from '@covalence/client/client';
import { queryOptions } from '@tanstack/react-query';
import { dataOf } from '../api/api.tsx';

type Schemas = components['schemas'];

/** The state of the system. */
export type Operations = Schemas['Operations'];

/** The state that a service reports. */
export type ServiceStatus = Schemas['ServiceStatus'];

/** An event that its consumer gave up on. */
export type DeadLetter = Schemas['DeadLetter'];

/** The dead letters by queue. */
export type DeadLetters = Schemas['DeadLetters'];

/** Interval between reads of the state, ms. It is not read while the page is hidden. */
const everyMs = 10_000;

/** The first part of the keys of what operators see. */
const operationsKey = ['operations'] as const;

/** The state of the system, renewed while the page is visible. */
export const operationsQuery = (api: CovalenceClient) =>
  queryOptions({
    queryKey: [...operationsKey, 'state'],
    queryFn: ({ signal }) => dataOf(api.GET('/staff/operations', { signal })),
    refetchInterval: everyMs,
    staleTime: 0,
  });

/** The key of the dead letters. */
export const lettersKey = [...operationsKey, 'letters'] as const;

/** The dead letters by queue. They are not renewed: what somebody is about to choose must not move. */
export const lettersQuery = (api: CovalenceClient) =>
  queryOptions({
    queryKey: lettersKey,
    queryFn: ({ signal }) => dataOf(api.GET('/staff/operations/dead-letters', { signal })),
    refetchOnWindowFocus: false,
    staleTime: 0,
  });
