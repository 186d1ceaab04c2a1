import { RateLimiterMemory } from 'rate-limiter-flexible';

/** Receipts that a member may hand in within an hour, to each process: every one costs calls to the store. */
const receiptsPerHour = 60;

/** Limits the receipts of each member, in this process. */
export const createReceiptLimit = () => new RateLimiterMemory({ points: receiptsPerHour, duration: 3_600 });

/** Limits the receipts of each member. */
export type ReceiptLimit = ReturnType<typeof createReceiptLimit>;
