/** Durations in milliseconds. */
export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
export const weekMs = 7 * dayMs;

/** The UTC day of a time, YYYY-MM-DD. */
export const utcDay = (at: Date): string => at.toISOString().slice(0, 10);

/** The beginning of the UTC day of a time. */
export const startOfUtcDay = (at: Date): Date => new Date(Math.floor(at.getTime() / dayMs) * dayMs);
