import { waitedIn, type WaitedFilter } from './waited-filter.ts';

/** Subjects of reports. */
export const categories = [
  'underage',
  'scam',
  'fake_profile',
  'harassment',
  'sexual_content',
  'hate',
  'violence',
  'other',
] as const;

/** Selects reports. */
export interface ReportFilter extends WaitedFilter {
  readonly site?: number | undefined;
  readonly category?: (typeof categories)[number] | undefined;
}

/** Reads the query of an address; what is not valid is left out. */
export function reportFilterIn(given: Readonly<Record<string, unknown>>): ReportFilter {
  const category = categories.find((one) => one === given['category']);
  return {
    ...(typeof given['site'] === 'number' && { site: given['site'] }),
    ...(category && { category }),
    ...waitedIn(given),
  };
}
