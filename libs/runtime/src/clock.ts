/** The source of the current time; tests move it. */
export type Clock = () => Date;

/** The machine's clock. */
export const systemClock: Clock = () => new Date();

/** ISO-8601 UTC, or null. */
export const isoOrNull = (moment: Date | null | undefined): string | null => moment?.toISOString() ?? null;
