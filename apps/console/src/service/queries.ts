import type { components } from '@covalence/client/api';
import type { CovalenceClient } from '@covalence/client/client';
import { queryOptions } from '@tanstack/react-query';
import { dataOf } from '../api/api.tsx';
import { pages } from '../api/pages.ts';

type Schemas = components['schemas'];

/** A member as staff see them. */
export type Member = Schemas['StaffMember'];

/** The members that a search found. */
export type FoundMembers = Schemas['StaffFoundMembers'];

/** The key of a search. */
export type SearchBy = Schemas['SearchStaffMembersRequest']['by'];

/** An entry of the history of a member. */
export type HistoryEntry = Schemas['StaffHistoryEntry'];

/** The first part of all keys of one member. */
export const memberKey = (id: number | string) => ['service', 'member', String(id)] as const;

/** The last search, in memory only; no call reads it. */
export const lastSearchKey = ['service', 'search'] as const;

/** A member with everything that can be decided on. Without a claim the call is recorded and counted, so it is made once. */
export const memberQuery = (api: CovalenceClient, id: number | string) =>
  queryOptions({
    queryKey: memberKey(id),
    staleTime: Infinity,
    queryFn: ({ signal }) =>
      dataOf(api.GET('/staff/members/{id}', { params: { path: { id: String(id) } }, signal })),
  });

const pageOf = (id: number | string, cursor: string | undefined) => ({
  path: { id: String(id) },
  query: { cursor },
});

/** The decisions on a member, newest first. */
export const historyQuery = (api: CovalenceClient, id: number) =>
  pages([...memberKey(id), 'history'], (cursor, signal) =>
    dataOf(api.GET('/staff/members/{id}/history', { params: pageOf(id, cursor), signal })),
  );

/** The notes on a member, newest first. */
export const notesQuery = (api: CovalenceClient, id: number) =>
  pages([...memberKey(id), 'notes'], (cursor, signal) =>
    dataOf(api.GET('/staff/members/{id}/notes', { params: pageOf(id, cursor), signal })),
  );

/** Evidence in reports on a member, without content. */
export const evidenceListQuery = (api: CovalenceClient, id: number) =>
  pages([...memberKey(id), 'evidence'], (cursor, signal) =>
    dataOf(api.GET('/staff/members/{id}/evidence', { params: pageOf(id, cursor), signal })),
  );

/** A sign-in of an app. */
export type SignIn = Schemas['StaffSession'];

/** A recovery of an account that has begun. */
export type Recovery = Schemas['StaffRecovery'];

/**
 * The sign-ins of a member, and the recovery of the account. The call is recorded and counted, so it is made on request, and the key is
 * not under that of the member, which each decision renews.
 */
export const signInsQuery = (api: CovalenceClient, id: number) =>
  queryOptions({
    queryKey: ['service', 'sign-ins', id],
    staleTime: Infinity,
    // A copy of an earlier visit may be out of date.
    gcTime: 0,
    queryFn: ({ signal }) =>
      dataOf(api.GET('/staff/members/{id}/sessions', { params: { path: { id: String(id) } }, signal })),
  });

/** The first part of the keys of the ban list. */
export const bansKey = ['service', 'bans'] as const;

/** Selects entries of the ban list: those of a member, or those that a member matches; all by default. */
export interface BanFilter {
  readonly member?: number;
  readonly matches?: number;
}

/** The ban list, newest first. */
export const bansQuery = (api: CovalenceClient, filter: BanFilter) =>
  pages([...bansKey, filter], (cursor, signal) =>
    dataOf(api.GET('/staff/bans', { params: { query: { ...filter, cursor } }, signal })),
  );

/** The first part of the keys of signals of scams. */
export const scamsKey = ['service', 'scams'] as const;

/** The outcomes of members flagged by a version of the rules. */
export type RulesPrecision = Schemas['ScamPrecision'];

/** The precision of scam signals, by version of the rules. */
export const scamPrecisionQuery = (api: CovalenceClient) =>
  queryOptions({
    queryKey: [...scamsKey, 'precision'],
    queryFn: ({ signal }) => dataOf(api.GET('/staff/scam-signals/precision', { signal })),
  });

/** Flagged members on whom nobody has decided, newest first. */
export const scamFlagsQuery = (api: CovalenceClient) =>
  pages([...scamsKey, 'flags'], (cursor, signal) =>
    dataOf(api.GET('/staff/scam-signals', { params: { query: { cursor } }, signal })),
  );

/** A request for a second person, with its outcome. */
export type Approval = Schemas['StaffApproval'];

/** The first part of the keys of requests for a second person. */
export const approvalsKey = ['service', 'approvals'] as const;

/** Requests that wait for a second person, oldest first, or ended ones, newest first. */
export const approvalsQuery = (api: CovalenceClient, ended: boolean) =>
  pages([...approvalsKey, ended], (cursor, signal) =>
    dataOf(api.GET('/staff/approvals', { params: { query: { ended: ended || undefined, cursor } }, signal })),
  );

/** A correction of a membership. */
export type Correction = Schemas['CorrectMembershipRequest'];

/** The effects of a correction. */
export type CorrectionPreview = Schemas['CorrectionPreview'];

/** A membership with its payments, refunds and corrections. */
export type Membership = Schemas['MembershipReport'];

/** The membership of a member. */
export const membershipQuery = (api: CovalenceClient, member: number) =>
  queryOptions({
    queryKey: [...memberKey(member), 'membership'],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/staff/memberships/{member}', { params: { path: { member } }, signal })),
  });
