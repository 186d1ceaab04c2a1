/** The source of the current time; tests move it. */
export type Clock = () => Date;

/** The machine's clock. */
export const systemClock: Clock = () => new Date();
