import type { components } from '@covalence/client/api';
import type { CovalenceClient } from '@covalence/client/client';
import { dataOf } from '../api/api.tsx';
import { pages } from '../api/pages.ts';
import type { AuditFilter } from './audit-filter.ts';

/** A call of staff in the audit log. */
export type AuditEntry = components['schemas']['AuditEntry'];

const timeOf = (local: string | undefined) => {
  const time = new Date(local ?? '');
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
};

/** A page of the audit log. */
export function readAudit(
  api: CovalenceClient,
  filter: AuditFilter,
  { cursor, pagesize }: { readonly cursor: string | undefined; readonly pagesize: number },
  signal: AbortSignal,
) {
  const { since: from, until: to, ...texts } = filter;
  const query = { ...texts, pagesize, since: timeOf(from), until: timeOf(to), cursor };
  return dataOf(api.GET('/staff/audit', { params: { query }, signal }));
}

const listLength = 25;

/** The calls of staff, newest first. */
export const auditQuery = (api: CovalenceClient, filter: AuditFilter) =>
  pages(['operators', 'audit', filter], (cursor, signal) =>
    readAudit(api, filter, { cursor, pagesize: listLength }, signal),
  );
