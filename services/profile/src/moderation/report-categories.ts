/** What reports are about, as the reporter chose. */
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

/** What a report is about. */
export type ReportCategory = (typeof reportCategories)[number];

/** Reports that come first in the queue: a child, or money that is being lost. */
export const urgentCategories: readonly ReportCategory[] = ['underage', 'scam'];

/** What a decided report led to, as its reporter is told. */
export const reportOutcomes = ['measures', 'none'] as const;

/** What a decided report led to. */
export type ReportOutcome = (typeof reportOutcomes)[number];
