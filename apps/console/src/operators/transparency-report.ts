import type { components } from '@covalence/client/api';

type Schemas = components['schemas'];

/** The counts of a period. */
export type TransparencyReport = Schemas['TransparencyReport'];

/** A count of a measure. */
export type TransparencyRow = Schemas['TransparencyRow'];

/** The months before the current one, newest first, as the call takes them. */
export const lastMonths = (count: number, now: Date): string[] =>
  Array.from({ length: count }, (_month, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1 - back)).toISOString().slice(0, 7),
  );

/** The files of a report, by extension; the command line prints the same bytes. */
export const filesOf = ({ csv = '', ...report }: TransparencyReport) => ({
  csv,
  json: `${JSON.stringify(report, null, 2)}\n`,
});

/** Texts of other pages for the categories of a measure. */
const shared: Readonly<Record<string, string>> = {
  decisions_by_restriction: 'service.action',
  reports_received: 'service.category',
  reports_decided: 'service.category',
  reports_by_outcome: 'service.outcome',
};

/** Groups of texts that may have the parts of a measure's categories; the first that has one counts. */
export const textsOf = (measure: string): string[] =>
  [shared[measure], 'transparency.category'].filter((of) => of !== undefined);

/** A category in its parts: `suspend_with_ban` is `suspend` and `with_ban`. */
export function partsOf(category: string): string[] {
  const [, first = category, second] =
    /^(.+)_(with_ban|confirmed|dismissed)$/.exec(category) ??
    /^(notice|own_initiative)_(.+)$/.exec(category) ??
    [];
  return second === undefined ? [first] : [first, second];
}
