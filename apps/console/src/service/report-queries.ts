import type { components } from '@covalence/client/api';
import type { CovalenceClient } from '@covalence/client/client';
import { queryOptions } from '@tanstack/react-query';
import { dataOf } from '../api/api.tsx';
import { pages } from '../api/pages.ts';
import { memberKey } from './queries.ts';
import { queueKey } from './queue-queries.ts';
import type { ReportFilter } from './report-filter.ts';
import { olderThan } from './waited-filter.ts';

/** The copy of a member that a report keeps. */
export type Evidence = components['schemas']['StaffEvidence'];

/** Reports that a filter selects, in calls. */
export const whichReports = ({ site, category, waited }: ReportFilter) => ({
  kind: 'report' as const,
  siteid: site,
  category,
  older_than: olderThan({ waited }),
});

/** The open reports, oldest first. */
export const reportsQuery = (api: CovalenceClient, filter: ReportFilter) =>
  pages([...queueKey, 'reports', filter], (cursor, signal) => {
    const query = { ...whichReports(filter), cursor };
    return dataOf(api.GET('/staff/queue', { params: { query }, signal }));
  });

/** A report, claimed for this account; who comes back to the page extends the claim. */
export const reportClaimQuery = (api: CovalenceClient, id: string) =>
  queryOptions({
    queryKey: ['service', 'report', id],
    queryFn: async ({ signal }) =>
      (await dataOf(api.POST('/staff/queue/claim', { body: { kind: 'report', id }, signal }))).entry,
    // A copy of before says nothing of who has it now.
    gcTime: 0,
  });

/** The newest evidence of one report, without content. */
export const newestEvidenceQuery = (api: CovalenceClient, reported: number, reporter: string) =>
  queryOptions({
    queryKey: [...memberKey(reported), 'evidence', reporter],
    queryFn: ({ signal }) => {
      const params = { path: { id: String(reported) }, query: { reporter: Number(reporter), pagesize: 1 } };
      return dataOf(api.GET('/staff/members/{id}/evidence', { params, signal }));
    },
  });

/** The content of evidence. Each access is recorded, so it is read once. */
export const evidenceQuery = (api: CovalenceClient, evidenceid: string) =>
  queryOptions({
    queryKey: ['service', 'evidence', evidenceid],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/staff/evidence/{evidenceid}', { params: { path: { evidenceid } }, signal })),
    staleTime: Infinity,
  });
