/** Subjects of reports; the reporter chooses one. */
export const reportCategories = [
  'scam',
  'fake_profile',
  'harassment',
  'sexual_content',
  'underage',
  'hate',
  'violence',
  'other',
] as const;

/** The subject of a report. */
export type ReportCategory = (typeof reportCategories)[number];

/** Reports that come first in the queue: a child, or money that is being lost. */
export const urgentCategories: readonly ReportCategory[] = ['underage', 'scam'];

/** Results of a decided report, as its reporter reads them. */
export const reportOutcomes = ['measures', 'none'] as const;

/** The result of a decided report. */
export type ReportOutcome = (typeof reportOutcomes)[number];
