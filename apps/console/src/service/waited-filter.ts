/** The least waiting times to choose from, in hours. */
export const waitedChoices = [1, 24, 72] as const;

const secondsOfHour = 3_600;

/** Selects entries that have waited for some time. */
export interface WaitedFilter {
  /** Hours. */
  readonly waited?: (typeof waitedChoices)[number] | undefined;
}

/** Reads the query of an address; what is not valid is left out. */
export function waitedIn(given: Readonly<Record<string, unknown>>): WaitedFilter {
  const waited = waitedChoices.find((one) => one === given['waited']);
  return waited ? { waited } : {};
}

/** The same as the calls take it. */
export const olderThan = ({ waited }: WaitedFilter) => waited && waited * secondsOfHour;
