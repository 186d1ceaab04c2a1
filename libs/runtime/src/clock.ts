/** The source of the current time; tests move it. */
export type Clock = () => Date;

/** The machine's clock. */
export const systemClock: Clock = () => new Date();

/** A moment in ISO-8601 UTC; null where there is none. */
export const isoOrNull = (moment: Date | null | undefined): string | null => moment?.toISOString() ?? null;
