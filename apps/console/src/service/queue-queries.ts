import type { components } from '@covalence/client/api';
import type { CovalenceClient } from '@covalence/client/client';
import { queryOptions } from '@tanstack/react-query';
import { dataOf } from '../api/api.tsx';
import { pages } from '../api/pages.ts';
import { olderThan, type WaitedFilter } from './waited-filter.ts';

type Schemas = components['schemas'];

/** An entry of the queue. */
export type Entry = Schemas['StaffQueueEntry'];

/** A text that waits, beside the current one. */
export type WaitingText = Schemas['StaffText'];

/** A photo of a member. */
export type Photo = Schemas['StaffPhoto'];

/** The number of entries of a kind that wait on a site. */
export type QueueLine = Schemas['StaffQueueLine'];

/** A claim that has not ended. */
export type Claim = Schemas['StaffClaim'];

/** The number of appeals that wait on a site. */
export type AppealsLine = Schemas['StaffAppealsLine'];

/** The outcome of one of several decisions. */
export type Outcome = Schemas['StaffBulkOutcome'];

/** A reason that is chosen instead of written. */
export type SavedReason = Schemas['StaffReason'];

/** The use of a saved reason. */
export type ReasonKind = SavedReason['kinds'][number];

/** The kinds of entries that one approves or rejects. */
export const waitingKinds = ['profile', 'photo', 'text'] as const;

/** A kind of entries that one approves or rejects. */
export type WaitingKind = (typeof waitingKinds)[number];

/** Selects entries of a kind. */
export interface Wanted extends WaitedFilter {
  readonly kind: WaitingKind;
  readonly site?: number | undefined;
  readonly flagged?: boolean | undefined;
  /** The flagged ones first; by default the oldest. */
  readonly sort?: 'risk' | undefined;
}

/** The first part of the keys of what decisions change. */
export const queueKey = ['service', 'queue'] as const;

const refreshMs = 30_000;

/** The entries that wait, and the claims on them. */
export const summaryQuery = (api: CovalenceClient) =>
  queryOptions({
    queryKey: [...queueKey, 'summary'],
    queryFn: ({ signal }) => dataOf(api.GET('/staff/queue/summary', { signal })),
    refetchInterval: refreshMs,
  });

/** Characters of an own reason. */
export const longestReason = 1_000;

/** The saved reasons. */
export const reasonsQuery = (api: CovalenceClient) =>
  queryOptions({
    queryKey: ['service', 'reasons'],
    queryFn: ({ signal }) => dataOf(api.GET('/staff/reasons', { signal })),
    staleTime: Infinity,
  });

const listLength = 24;

/** The filter and order of entries in calls. */
export const whichOf = ({ site, flagged, sort, waited }: Wanted) => ({
  siteid: site,
  flagged,
  sort,
  older_than: olderThan({ waited }),
});

/** The entries of a kind that wait. */
export const waitingQuery = (api: CovalenceClient, wanted: Wanted) =>
  pages([...queueKey, 'list', wanted], (cursor, signal) => {
    const query = { kind: wanted.kind, pagesize: listLength, ...whichOf(wanted), cursor };
    return dataOf(api.GET('/staff/queue', { params: { query }, signal }));
  });
