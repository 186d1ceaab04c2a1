import type { AuditEntry } from './audit-queries.ts';

const columns = ['at', 'username', 'staff_id', 'call', 'about', 'status', 'request_id', 'id'] as const;

/** A cell of CSV. A spreadsheet would run what begins like a formula, and ids of calls are whatever was called. */
function cell(value: string): string {
  const shown = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return `"${shown.replaceAll('"', '""')}"`;
}

const valueOf = (entry: AuditEntry, column: (typeof columns)[number]) =>
  column === 'about' ? entry.about.join(' ') : String(entry[column] ?? '');

/** The formats of a file of the audit log. */
export const formats = {
  csv: {
    name: 'audit.csv',
    of: (entries: readonly AuditEntry[]) =>
      [columns.join(), ...entries.map((entry) => columns.map((one) => cell(valueOf(entry, one))).join())]
        .map((line) => `${line}\r\n`)
        .join(''),
  },
  jsonl: {
    name: 'audit.jsonl',
    of: (entries: readonly AuditEntry[]) => entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''),
  },
} as const;

/** A format of a file of the audit log. */
export type AuditFormat = keyof typeof formats;
