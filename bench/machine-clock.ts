/** Milliseconds by the clock of the machine, which its processes share. */
export const now = (): number => Number(process.hrtime.bigint()) / 1e6;
